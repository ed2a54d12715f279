// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.remote;

import dev.anemone.evaluation.lab.process.LineProcess;
import dev.anemone.evaluation.lab.remote.NioTarget.NioClient;
import dev.anemone.rdma.transport.RemoteRegion;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The process that reads and writes. It gets {@link Load}s by lines, and answers each with {@code
 * done}, the operations, and the ns that they took. It ends with its standard input.
 */
public final class LoadProgram {
  static final String DONE = "done";

  /** Not counted: a new connection asks for the target's memory, and its threads wake. */
  private static final long WARM_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  @FunctionalInterface
  private interface Clients {
    LoadClient open(int thread) throws IOException;
  }

  private LoadProgram() {}

  /** Arguments: name of the transport, port and key of the target, its slots, the window. */
  public static void main(String[] args) throws Exception {
    InetSocketAddress target =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[1]));
    int slots = Integer.parseInt(args[3]);
    int window = Integer.parseInt(args[4]);
    if (args[0].equals(TargetProgram.NIO)) {
      answer(slots, thread -> new NioClient(target, offset(thread), window));
      return;
    }
    RemoteRegion remote =
        new RemoteRegion(
            (long) slots * TargetProgram.SLOT_BYTES,
            ByteBuffer.wrap(HexFormat.of().parseHex(args[2])));
    try (Transport transport = Transports.found().open(args[0])) {
      answer(
          slots, thread -> new TransportClient(transport, target, remote, offset(thread), window));
    }
  }

  private static long offset(int thread) {
    return (long) thread * TargetProgram.SLOT_BYTES;
  }

  private static void answer(int slots, Clients clients) throws Exception {

    ExecutorService threads = Executors.newFixedThreadPool(slots);
    try {
      BufferedReader in = LineProcess.orders();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        Load load = Load.parse(line);
        List<LoadClient> opened = new ArrayList<>();
        try {
          for (int thread = 0; thread < load.threads(); thread++) {
            opened.add(clients.open(thread));
          }
          measure(load, opened, threads);
        } finally {
          for (LoadClient client : opened) {
            client.close();
          }
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void measure(Load load, List<LoadClient> clients, ExecutorService threads)
      throws ExecutionException, InterruptedException {
    long unused = operate(load, clients, WARM_UP_NANOS, threads);
    assert unused > 0;
    long begin = System.nanoTime();
    long operations = operate(load, clients, TimeUnit.MILLISECONDS.toNanos(load.millis()), threads);
    System.out.println(DONE + " " + operations + " " + (System.nanoTime() - begin));
  }

  private static long operate(
      Load load, List<LoadClient> clients, long nanos, ExecutorService threads)
      throws ExecutionException, InterruptedException {
    List<Callable<Long>> work = new ArrayList<>();
    for (LoadClient client : clients) {
      work.add(() -> client.operate(load.direction(), load.bytes(), nanos));
    }
    long operations = 0;
    for (Future<Long> done : threads.invokeAll(work)) {
      operations += done.get();
    }
    return operations;
  }

  /** Which way bytes go, as the client sees it. */
  public enum Direction {
    READ,
    WRITE
  }

  /** What a client is to do: threads have connections and memory of their own. */
  public record Load(Direction direction, int bytes, int threads, long millis) {
    String line() {
      return direction + " " + bytes + " " + threads + " " + millis;
    }

    static Load parse(String line) {
      List<String> words = List.of(line.split(" ", -1));
      return new Load(
          Direction.valueOf(words.get(0)),
          Integer.parseInt(words.get(1)),
          Integer.parseInt(words.get(2)),
          Long.parseLong(words.get(3)));
    }
  }

  /** One connection to the memory of a target. Used by one thread. */
  interface LoadClient extends AutoCloseable {
    /** Operates for some ns, waits until all can be seen at the target; returns how many it did. */
    long operate(Direction direction, int bytes, long nanos)
        throws IOException, InterruptedException;

    @Override
    void close() throws IOException;
  }
}
