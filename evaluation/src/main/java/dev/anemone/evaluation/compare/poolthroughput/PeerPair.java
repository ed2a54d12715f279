// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poolthroughput;

import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.process.LineProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A target and a client, each in a process of its own. Used by one thread. */
final class PeerPair implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final LineProcess target;
  private final LineProcess client;
  private final String mapping;

  private PeerPair(LineProcess target, LineProcess client, String mapping) {
    this.target = target;
    this.client = client;
    this.mapping = mapping;
  }

  /**
   * Starts both.
   *
   * @param threads that a load may have at most
   */
  static PeerPair start(ThroughputPlan plan, ThroughputSide side, int threads)
      throws IOException, InterruptedException {
    String slots = Integer.toString(threads);
    LineProcess target =
        start(plan, side, TargetProgram.class, List.of(side.transport(), side.memory(), slots));
    try {
      List<String> words = List.of(target.await(TargetProgram.LISTENING, START).split(" ", -1));
      LineProcess client =
          start(
              plan,
              side,
              LoadProgram.class,
              List.of(
                  side.transport(),
                  words.get(0),
                  words.get(1),
                  slots,
                  Integer.toString(plan.window())));
      return new PeerPair(target, client, words.get(2));
    } catch (IOException | InterruptedException | RuntimeException e) {
      target.close();
      throw e;
    }
  }

  private static LineProcess start(
      ThroughputPlan plan, ThroughputSide side, Class<?> program, List<String> arguments)
      throws IOException {
    String log = side.name().replaceAll("[^a-zA-Z]+", "-") + "-" + program.getSimpleName();
    Path file = plan.directory().resolve(log + ".log");
    return LineProcess.start(
        new JavaProgram(program.getName(), plan.classPath(), plan.jvmOptions(), arguments)
            .command(),
        side.environment(),
        file);
  }

  /** How the target's memory is mapped. */
  String mapping() {
    return mapping;
  }

  /** Bytes per second. */
  double measure(Load load) throws IOException, InterruptedException {
    client.say(load.line());
    List<String> words = List.of(client.await(LoadProgram.DONE, PATIENCE).split(" ", -1));
    double seconds = Long.parseLong(words.get(1)) / 1e9;
    return Long.parseLong(words.get(0)) * (double) load.bytes() / seconds;
  }

  @Override
  public void close() {
    client.close();
    target.close();
  }
}
