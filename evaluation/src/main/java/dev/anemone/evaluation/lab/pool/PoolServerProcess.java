// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.pool;

import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.process.LineProcess;
import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.TierKind;
import dev.anemone.rdma.pool.TierOptions;
import dev.anemone.rdma.pool.server.PoolServer;
import dev.anemone.rdma.pool.server.PoolServerOptions;
import dev.anemone.rdma.testing.LocalPool;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A pool of one server in another process. It is killed when it is closed. */
public record PoolServerProcess(ServerAddress address, String transport, LineProcess process)
    implements AutoCloseable {
  /** Bytes of a small chunk: a client, which has buffers for 32, may have little memory. */
  public static final int SMALL_CHUNK_BYTES = 128 << 10;

  private static final Duration START = Duration.ofMinutes(2);
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  /** For what a server needs beside the memory that it lends. */
  private static final int MORE_MEGABYTES = 256;

  /** Starts it, and waits until it is ready to lend so many MB; its error stream is in the log. */
  public static PoolServerProcess start(
      String transport, int megabytes, int chunkBytes, String classPath, Path log)
      throws IOException, InterruptedException {
    return start(transport, TierOptions.dram((long) megabytes << 20), chunkBytes, classPath, log);
  }

  /** The same with a tier of another kind. */
  public static PoolServerProcess start(
      String transport, TierOptions tier, int chunkBytes, String classPath, Path log)
      throws IOException, InterruptedException {
    ServerAddress address = LocalPool.freeAddresses(1).get(0);
    LineProcess process =
        LineProcess.start(
            JavaProgram.of(
                PoolServerProgram.class,
                classPath,
                List.of(
                    "-Xmx256m",
                    "-XX:MaxDirectMemorySize="
                        + ((tier.capacityBytes() >> 20) + MORE_MEGABYTES)
                        + "m"),
                PoolServerProgram.arguments(
                    transport, address, List.of(address), tier, chunkBytes, LEASE, DEADLINE)),
            log);
    try {
      process.await(PoolServerProgram.READY, START);
      return new PoolServerProcess(address, transport, process);
    } catch (IOException | InterruptedException | RuntimeException e) {
      process.close();
      throw e;
    }
  }

  /** Addresses as programs get them. */
  public static String text(List<ServerAddress> addresses) {
    return addresses.stream().map(ServerAddress::toString).collect(Collectors.joining(","));
  }

  /** The options with which the runner keeps data between stages in this pool. */
  public List<String> runnerOptions() {
    return List.of(
        "--optimizationPolicy=Disaggregation",
        "--memoryPool=" + address,
        "--memoryPoolTransport=" + transport);
  }

  /**
   * What it has received and sent since it began, as the kernel counts reads and writes: with the
   * transport {@code tcp} what goes over sockets, with others less.
   */
  public Traffic traffic() throws IOException {
    List<String> lines = Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "io"));
    return new Traffic(counted(lines, "rchar: "), counted(lines, "wchar: "));
  }

  private static long counted(List<String> lines, String name) {
    return lines.stream()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.substring(name.length())))
        .findFirst()
        .orElseThrow();
  }

  /** Bytes that a server has received and sent. */
  public record Traffic(long received, long sent) {

    /** What has come since an earlier time. */
    public Traffic since(Traffic earlier) {
      return new Traffic(received - earlier.received, sent - earlier.sent);
    }
  }

  @Override
  public void close() {
    process.close();
  }

  /** A server that everybody may use. Says {@code ready} when others may come. */
  public static final class PoolServerProgram {
    public static final String READY = "ready";

    private PoolServerProgram() {}

    /**
     * What {@link #main} reads: transport, own address, all addresses, bytes, bytes of a chunk,
     * lease and deadline in ms, what the tier is of, and its directory where it has one.
     */
    public static List<String> arguments(
        String transport,
        ServerAddress own,
        List<ServerAddress> all,
        TierOptions tier,
        int chunkBytes,
        Duration lease,
        Duration deadline) {
      return Arguments.of(
          transport,
          own,
          text(all),
          tier.capacityBytes(),
          chunkBytes,
          lease.toMillis(),
          deadline.toMillis(),
          tier.kind(),
          tier.directory().map(List::of).orElse(List.of()));
    }

    /** Runs such a server until it is told to stop, or others have gone on without it. */
    public static void main(String[] args) throws Exception {
      Duration lease = Duration.ofMillis(Long.parseLong(args[5]));
      long bytes = Long.parseLong(args[3]);
      TierOptions tier =
          new TierOptions(
              TierKind.valueOf(args[7]),
              bytes,
              args.length > 8 ? Optional.of(Path.of(args[8])) : Optional.empty(),
              false);
      PoolServerOptions options =
          new PoolServerOptions(
              ServerAddress.parse(args[1]),
              ServerAddress.parseList(args[2]),
              List.of(tier),
              Integer.parseInt(args[4]),
              lease,
              Duration.ofMillis(Long.parseLong(args[6])),
              AccessToken.open());
      try (Transport transport = Transports.found().open(args[0]);
          PoolServer server = PoolServer.start(transport, options)) {
        System.out.println(READY);
        server.awaitStop();
      }
    }
  }
}
