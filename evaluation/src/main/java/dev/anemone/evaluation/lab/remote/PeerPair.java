// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.remote;

import dev.anemone.evaluation.lab.network.ThrottledNetwork;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.process.LineProcess;
import dev.anemone.evaluation.lab.remote.LoadProgram.Load;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A target and a client, each in a process of its own. Used by one thread.
 *
 * @param mapping how the target's memory is mapped
 */
public record PeerPair(LineProcess target, LineProcess client, String mapping)
    implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final List<String> OPTIONS =
      List.of(
          "-Xmx256m",
          "-XX:MaxDirectMemorySize=512m",
          "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED");

  /**
   * How both are started.
   *
   * @param classPath that has their programs
   * @param directory for their logs
   */
  public record Start(String classPath, Path directory) {

    private LineProcess process(ThroughputSide side, Class<?> program, List<String> command)
        throws IOException {
      String log = side.name().replaceAll("[^a-zA-Z]+", "-") + "-" + program.getSimpleName();
      return LineProcess.start(command, side.environment(), directory.resolve(log + ".log"));
    }

    private List<String> command(Class<?> program, Object... arguments) {
      return JavaProgram.of(program, classPath, OPTIONS, arguments).command();
    }
  }

  /**
   * Starts both.
   *
   * @param threads of the client, at most
   * @param window operations that a thread has under way
   */
  public static PeerPair start(ThroughputSide side, Start start, int threads, int window)
      throws IOException, InterruptedException {
    LineProcess target =
        start.process(side, TargetProgram.class, targetCommand(side, start, threads));
    return connect(side, start, threads, window, target, command -> command);
  }

  /**
   * Starts both with a network of their own between them, on which there is nothing else; the
   * kernel lets nobody but root make one.
   *
   * @param megabits of the network, millions of bits per second
   */
  public static PeerPair startApart(
      ThroughputSide side, Start start, int threads, int window, double megabits)
      throws IOException, InterruptedException {
    LineProcess target =
        start.process(
            side,
            TargetProgram.class,
            ThrottledNetwork.command(targetCommand(side, start, threads)));
    ThrottledNetwork network = new ThrottledNetwork(target.pid());
    PeerPair pair = connect(side, start, threads, window, target, network::inside);
    try {
      network.limitAll(megabits);
      return pair;
    } catch (IOException | InterruptedException | RuntimeException e) {
      pair.close();
      throw e;
    }
  }

  private static List<String> targetCommand(ThroughputSide side, Start start, int threads) {
    return start.command(TargetProgram.class, side.transport(), side.memory(), threads);
  }

  private static PeerPair connect(
      ThroughputSide side,
      Start start,
      int threads,
      int window,
      LineProcess target,
      UnaryOperator<List<String>> place)
      throws IOException, InterruptedException {
    try {
      List<String> words = target.await(TargetProgram.LISTENING, START);
      List<String> load =
          start.command(
              LoadProgram.class, side.transport(), words.get(0), words.get(1), threads, window);
      return new PeerPair(
          target, start.process(side, LoadProgram.class, place.apply(load)), words.get(2));
    } catch (IOException | InterruptedException | RuntimeException e) {
      target.close();
      throw e;
    }
  }

  /** Bytes per second. */
  public double measure(Load load) throws IOException, InterruptedException {
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

  /**
   * One way to another process's memory.
   *
   * @param environment of both processes
   * @param memory {@link TargetProgram#DRAM}, or the directory of a file
   */
  public record ThroughputSide(
      String name, String transport, Map<String, String> environment, String memory) {
    public static final String UCX_TLS = "UCX_TLS";

    /** What UCX may use, by its name in the tables. Connections are always made over TCP. */
    public static final Map<String, String> UCX_WAYS =
        Map.of("shm", "shm,tcp,self", "tcp", "tcp,self");

    /** All ways, to memory of both kinds; the persistent one lies in a directory. */
    public static List<ThroughputSide> all(String pmem) {
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
