// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poollookups;

import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.ObjectId;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.TierOptions;
import dev.anemone.rdma.pool.protocol.Caller;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.pool.protocol.StoredObject;
import dev.anemone.rdma.pool.server.PoolServer;
import dev.anemone.rdma.pool.server.PoolServerOptions;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evaluation/run pool-lookups}: lookups in a pool of many names that go with a lease. */
@Command(name = "pool-lookups")
public final class PoolLookups extends ExperimentCommand {
  private static final int PAGE_BYTES = 4 << 10;
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final int UNDER_WAY = 512;
  private static final long SEED = 1;

  @Option(names = "--names", description = "How many, at least 1.")
  private int names = 1_000_000;

  @Option(names = "--lookups", description = "How many, at least 100.")
  private int lookups = 20_000;

  @Option(names = "--pause-us", description = "Between the beginnings of two, microseconds.")
  private int pauseMicros = 1_000;

  /**
   * @param commitsPerSecond of one client, {@value #UNDER_WAY} under way
   * @param medianMicros from the time when a lookup was to begin to its answer
   * @param p99Micros of the slowest hundredth the fastest
   * @param maxMicros of the slowest
   */
  record Figures(
      int names,
      int lookups,
      double commitsPerSecond,
      double medianMicros,
      double p99Micros,
      double maxMicros) {}

  @Override
  protected void check() {
    require("--names", names, names >= 1, "there must be a name");
    require("--lookups", lookups, lookups >= 100, "a hundredth of fewer is none");
    require("--pause-us", pauseMicros, pauseMicros >= 1, "give at least 1");
  }

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    ServerAddress address;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      address = new ServerAddress("127.0.0.1", free.getLocalPort());
    }
    UUID client = UUID.randomUUID();
    PoolServerOptions options =
        new PoolServerOptions(
            address,
            List.of(address),
            List.of(TierOptions.dram(PAGE_BYTES)),
            PAGE_BYTES,
            LEASE,
            DEADLINE,
            AccessToken.open());
    Caller.Identity identity =
        new Caller.Identity(List.of(address).toString(), client, Caller.Identity.CLIENT, 0);
    try (Transport transport = Transports.found().open("tcp");
        PoolServer server = PoolServer.start(transport, options);
        Caller caller =
            Caller.connect(transport, address, AccessToken.open(), identity, DEADLINE, () -> {})) {
      long start = System.nanoTime();
      commit(caller, client);
      double seconds = (System.nanoTime() - start) / 1e9;
      progress("%d names", server.status().entries());
      publish(figures(names / seconds, lookup(caller)));
      return server.status().entries() == names;
    }
  }

  /** Empty objects, which take no pages. */
  private void commit(Caller caller, UUID client) throws IOException, InterruptedException {
    Semaphore window = new Semaphore(UNDER_WAY);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    for (int i = 0; i < names; i++) {
      take(window, 1);
      StoredObject object =
          new StoredObject(new ObjectId(client, i), name(i), 0, 0, 0, Lifetime.LEASE, List.of());
      CompletableFuture<Reply> committed =
          caller
              .start(new Request.Commit(object, 0))
              .whenComplete(
                  (reply, failed) -> {
                    failure.compareAndSet(null, failed);
                    window.release();
                  });
      if (committed.isCompletedExceptionally()) {
        break; // All those after it would fail, too.
      }
    }
    take(window, UNDER_WAY);
    if (failure.get() != null) {
      throw new IOException("a commit failed", failure.get());
    }
  }

  private static void take(Semaphore window, int count) throws IOException, InterruptedException {
    if (!window.tryAcquire(count, DEADLINE.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IOException("no commit has ended within " + DEADLINE.toSeconds() + " s");
    }
  }

  /** Nanoseconds of each; one that is held up holds up those that were to begin meanwhile. */
  private long[] lookup(Caller caller) throws IOException {
    Random random = new Random(SEED);
    long[] nanos = new long[lookups];
    long begin = System.nanoTime();
    for (int i = 0; i < lookups; i++) {
      long due = begin + i * TimeUnit.MICROSECONDS.toNanos(pauseMicros);
      while (System.nanoTime() - due < 0) {
        LockSupport.parkNanos(this, due - System.nanoTime());
      }
      Reply.Found found =
          caller.call(new Request.Lookup(name(random.nextInt(names))), Reply.Found.class);
      nanos[i] = System.nanoTime() - due;
      if (found.entry().isEmpty()) {
        throw new IOException("a name is not there");
      }
    }
    Arrays.sort(nanos);
    return nanos;
  }

  private static String name(int number) {
    return "/name" + number;
  }

  private Figures figures(double commitsPerSecond, long[] nanos) {
    return new Figures(
        names,
        lookups,
        commitsPerSecond,
        nanos[lookups / 2] / 1e3,
        nanos[(int) (lookups * 99L / 100)] / 1e3,
        nanos[lookups - 1] / 1e3);
  }

  private void publish(Figures figures) throws IOException {
    MarkdownTable table = new MarkdownTable("names; commits/s; median µs; p99 µs; slowest µs");
    table.row(
        Integer.toString(figures.names()),
        rounded(figures.commitsPerSecond()),
        rounded(figures.medianMicros()),
        rounded(figures.p99Micros()),
        rounded(figures.maxMicros()));
    publish(
        figures,
        text(
            "%d lookups over loopback, one every %d us, which begin when they are due",
            lookups, pauseMicros),
        table);
  }

  private static String rounded(double value) {
    return String.format(Locale.ROOT, "%.0f", value);
  }
}
