// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poolthroughput;

import dev.anemone.evaluation.compare.poolthroughput.LoadProgram.Load;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.process.LineProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A target and a client, each in a process of its own. Used by one thread. */
record PeerPair(LineProcess target, LineProcess client, String mapping) implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final List<String> OPTIONS =
      List.of(
          "-Xmx256m",
          "-XX:MaxDirectMemorySize=512m",
          "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED");

  static PeerPair start(
      ThroughputSide side, String classPath, Path directory, int threads, int window)
      throws IOException, InterruptedException {
    LineProcess target =
        start(
            side,
            directory,
            JavaProgram.of(
                TargetProgram.class, classPath, OPTIONS, side.transport(), side.memory(), threads));
    try {
      List<String> words = target.await(TargetProgram.LISTENING, START);
      JavaProgram load =
          JavaProgram.of(
              LoadProgram.class,
              classPath,
              OPTIONS,
              side.transport(),
              words.get(0),
              words.get(1),
              threads,
              window);
      return new PeerPair(target, start(side, directory, load), words.get(2));
    } catch (IOException | InterruptedException | RuntimeException e) {
      target.close();
      throw e;
    }
  }

  private static LineProcess start(ThroughputSide side, Path directory, JavaProgram program)
      throws IOException {
    String log =
        side.name().replaceAll("[^a-zA-Z]+", "-")
            + program.mainClass().substring(program.mainClass().lastIndexOf('.')).replace('.', '-');
    return LineProcess.start(
        program.command(), side.environment(), directory.resolve(log + ".log"));
  }

  /** Bytes per second. */
  double measure(Load load) throws IOException, InterruptedException {
    client.say(load.line());
    List<String> words = client.await(LoadProgram.DONE, PATIENCE);
    double seconds = Long.parseLong(words.get(1)) / 1e9;
    return Long.parseLong(words.get(0)) * (double) load.bytes() / seconds;
  }

  @Override
  public void close() {
    client.close();
    target.close();
  }

  /** One way to another process's memory: DRAM, or a file in a directory. */
  record ThroughputSide(
      String name, String transport, Map<String, String> environment, String memory) {
    static final String UCX_TLS = "UCX_TLS";

    /** What UCX may use, by its name in the tables. Connections are always made over TCP. */
    static final Map<String, String> UCX_WAYS = Map.of("shm", "shm,tcp,self", "tcp", "tcp,self");

    /** All ways, to memory of both kinds; the persistent one lies in a directory. */
    static List<ThroughputSide> all(String pmem) {
      return List.of(
          new ThroughputSide("NIO", TargetProgram.NIO, Map.of(), TargetProgram.DRAM),
          new ThroughputSide("tcp", "tcp", Map.of(), TargetProgram.DRAM),
          new ThroughputSide("tcp, PMEM", "tcp", Map.of(), pmem),
          ucx("tcp", TargetProgram.DRAM, ""),
          ucx("tcp", pmem, ", PMEM"),
          ucx("shm", TargetProgram.DRAM, ""),
          ucx("shm", pmem, ", PMEM"));
    }

    private static ThroughputSide ucx(String way, String memory, String suffix) {
      return new ThroughputSide(
          "ucx/" + way + suffix, "ucx", Map.of(UCX_TLS, UCX_WAYS.get(way)), memory);
    }
  }
}
