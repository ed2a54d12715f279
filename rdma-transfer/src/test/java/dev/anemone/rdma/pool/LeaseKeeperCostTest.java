// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.pool.protocol.StoredObject;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What it costs to look after leases, beside many names that go with one, and beside a few. Lookups
 * wait for whoever looks at all names with their lock.
 */
@Tag("slow")
class LeaseKeeperCostTest {

  private static final int MANY = 200_000;
  private static final int FEW = 200;
  private static final int UNDER_WAY = 512;

  /** In which the names are looked after a dozen times. */
  private static final Duration WINDOW = TestPool.LEASE.multipliedBy(3);

  private static final Duration PAUSE = Duration.ofMillis(20);

  /** Looking at all names takes 30 times as long and more. */
  private static final int MOST_TIMES = 6;

  @Test
  void doesNotGrowWithTheNames() throws Exception {
    try (TestPool full = TestPool.ofServers(1, 4);
        TestPool small = TestPool.ofServers(1, 4);
        RawClient besideMany = new RawClient(full, 0)) {
      fill(besideMany, MANY);
      try (RawClient besideFew = new RawClient(small, 0)) {
        fill(besideFew, FEW);
        long nanosMany = -leaseThreadNanos(full);
        long nanosFew = -leaseThreadNanos(small);
        lookUpNowAndThen(List.of(besideMany, besideFew));
        nanosMany += leaseThreadNanos(full);
        nanosFew += leaseThreadNanos(small);
        assertThat(full.server(0).status().entries()).isEqualTo(MANY);
        assertThat(nanosMany)
            .as("ns of a processor, %s beside few names", nanosFew)
            .isLessThan(MOST_TIMES * nanosFew);
      }
    }
  }

  /** Time of a processor, not of a clock: what else the machine does is not in it. */
  private static long leaseThreadNanos(TestPool pool) {
    String name = "anemone-leases-" + pool.addresses().get(0);
    Thread thread =
        Thread.getAllStackTraces().keySet().stream()
            .filter(other -> other.getName().equals(name))
            .findFirst()
            .orElseThrow();
    return ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId());
  }

  /** A client that says nothing for longer than a lease loses its names. */
  private static void lookUpNowAndThen(List<RawClient> clients) throws IOException {
    long end = System.nanoTime() + WINDOW.toNanos();
    while (System.nanoTime() - end < 0) {
      for (RawClient client : clients) {
        var lookup = new Request.Lookup("/name1");
        assertThat(client.caller().call(lookup, Reply.Found.class).entry()).hasSize(1);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  /** Empty objects, which take no pages. */
  private static void fill(RawClient client, int names) throws InterruptedException {
    Semaphore window = new Semaphore(UNDER_WAY);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    for (int i = 0; i < names; i++) {
      if (!window.tryAcquire(1, TimeUnit.MINUTES)) {
        throw new AssertionError("no commit has ended within a minute");
      }
      ObjectId id = new ObjectId(client.id(), i);
      var object = new StoredObject(id, "/name" + i, 0, 0, 0, Lifetime.LEASE, List.of());
      var committed =
          client
              .caller()
              .start(new Request.Commit(object, 0))
              .whenComplete(
                  (reply, failed) -> {
                    failure.compareAndSet(null, failed);
                    window.release();
                  });
      assertThat(committed).isNotNull();
    }
    assertThat(window.tryAcquire(UNDER_WAY, 1, TimeUnit.MINUTES)).isTrue();
    assertThat(failure).hasValue(null);
  }
}
