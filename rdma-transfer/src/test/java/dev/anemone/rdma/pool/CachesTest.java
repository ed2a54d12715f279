// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import static dev.anemone.rdma.pool.TestPool.PAGE;
import static dev.anemone.rdma.pool.TestPool.randomBytes;
import static dev.anemone.rdma.pool.TestPool.read;
import static dev.anemone.rdma.pool.TestPool.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.pool.client.CacheOptions;
import dev.anemone.rdma.pool.client.ObjectReader;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.ReadObserver;
import dev.anemone.rdma.transport.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What clients keep of objects. */
class CachesTest {

  @Test
  void whatAClientHasDeletedIsInNoneOfItsCaches() throws IOException {
    try (TestPool pool = TestPool.ofServers(2, 20)) {
      PoolClient client =
          pool.client(
              pool.options().withCaches(new CacheOptions(1 << 20, 10 * PAGE, Duration.ZERO)));
      write(client, "/object", Lifetime.LEASE, randomBytes(1, 3 * PAGE));
      ObjectReader old = client.open(PoolPath.of("/object"));
      assertThat(read(client, "/object")).isEqualTo(randomBytes(1, 3 * PAGE));
      client.delete(PoolPath.of("/object"));
      write(client, "/object", Lifetime.LEASE, randomBytes(2, 3 * PAGE));

      assertThat(read(client, "/object")).isEqualTo(randomBytes(2, 3 * PAGE));
      assertThatThrownBy(() -> old.read(0, ByteBuffer.allocate(3 * PAGE)))
          .isInstanceOf(ObjectDeletedException.class);
    }
  }

  @Test
  void othersDeletionsAreHeardOfWithinALease() throws IOException {
    try (TestPool pool = TestPool.ofServers(2, 20)) {
      PoolClient client =
          pool.client(
              pool.options().withCaches(new CacheOptions(1 << 20, 10 * PAGE, Duration.ZERO)));
      PoolClient other = pool.client();
      write(other, "/object", Lifetime.LEASE, randomBytes(1, 3 * PAGE));
      assertThat(read(client, "/object")).isEqualTo(randomBytes(1, 3 * PAGE));

      other.delete(PoolPath.of("/object"));

      Await.until(
          "the object cannot be opened",
          () -> {
            try {
              client.open(PoolPath.of("/object"));
              return false;
            } catch (NoSuchFileException e) {
              return true;
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          });
    }
  }

  @Test
  void copiesOfPagesAreReadWithoutTheServer() throws IOException {
    try (TestPool pool = TestPool.ofServers(1, 20)) {
      PoolClient client =
          pool.client(
              pool.options().withCaches(new CacheOptions(1 << 20, 2 * PAGE, Duration.ZERO)));
      write(client, "/object", Lifetime.LEASE, randomBytes(1, 3 * PAGE));
      ObjectReader reader = client.open(PoolPath.of("/object"));
      ByteBuffer bytes = ByteBuffer.allocate(100);
      reader.read(5, bytes);
      reader.read(PAGE + 5, bytes.clear());
      reader.read(2 * PAGE + 5, bytes.clear());
      try (RawClient raw = new RawClient(pool, 0)) {
        for (int page = 0; page < 3; page++) {
          raw.overwrite(page, 0, (byte) 77);
        }
      }

      assertThat(reader.read(2 * PAGE, bytes.clear())).isEqualTo(100);
      assertThatThrownBy(() -> reader.read(0, bytes.clear()))
          .as("the oldest copy had to go")
          .isInstanceOf(DamagedPageException.class);
    }
  }

  @Test
  void copiesThatNobodyReadsGoAndTheirMemoryToo() throws IOException {
    try (TestPool pool = TestPool.ofServers(1, 20)) {
      CountedUse use = new CountedUse();
      PoolClient client =
          pool.client(
              pool.options().withCaches(new CacheOptions(1 << 20, 4 * PAGE, Duration.ofMillis(1))));
      write(client, "/object", Lifetime.LEASE, randomBytes(1, PAGE));
      ObjectReader reader = client.open(PoolPath.of("/object"), use);
      Await.until("the memory of no copy is given back", () -> client.cachedBytes() == 0);

      assertThat(reader.read(7, ByteBuffer.allocate(100))).isEqualTo(100);
      assertThat(use.misses).isEqualTo(1);
      Await.until("the copy has gone", () -> client.cachedBytes() == 0);
      ByteBuffer again = ByteBuffer.allocate(PAGE);
      reader.read(0, again);
      assertThat(again.array()).isEqualTo(randomBytes(1, PAGE));
      assertThat(use.misses).isEqualTo(2);
      assertThat(use.hits).isZero();
    }
  }

  @Test
  void itIsCountedWhatCopiesAnswer() throws IOException {
    try (TestPool pool = TestPool.ofServers(1, 20)) {
      CountedUse use = new CountedUse();
      PoolClient client =
          pool.client(
              pool.options().withCaches(new CacheOptions(1 << 20, 4 * PAGE, Duration.ZERO)));
      write(client, "/object", Lifetime.LEASE, randomBytes(1, 2 * PAGE));
      client.open(PoolPath.of("/object"), use).read(PAGE - 10, ByteBuffer.allocate(30));
      client.open(PoolPath.of("/object"), use).read(PAGE - 10, ByteBuffer.allocate(30));

      assertThat(List.of(use.misses, use.hits, use.hitBytes, use.names, use.askedNames))
          .containsExactly(2L, 2L, 30L, 1L, 1L);
      assertThat(use.transferred).as("whole pages, once").isEqualTo(2 * PAGE);
    }
  }

  @Test
  void whatServersGiveWithoutCopiesIsCountedAsOftenAsItIsRead() throws IOException {
    try (TestPool pool = TestPool.ofServers(1, 20)) {
      CountedUse use = new CountedUse();
      PoolClient client = pool.client();
      PoolPath path = PoolPath.of("/object");
      write(client, path.value(), Lifetime.LEASE, randomBytes(1, 3 * PAGE));
      assertThat(client.open(path, use).read(PAGE - 10, ByteBuffer.allocate(30))).isEqualTo(30);
      assertThat(use.transferred).isEqualTo(30);
      assertThat(client.open(path, use).read(0, ByteBuffer.allocate(3 * PAGE))).isEqualTo(3 * PAGE);
      assertThat(use.transferred).isEqualTo(30 + 3 * PAGE);
      client.open(path).counting(use).read(5, pool.region(2 * PAGE), 0, 2 * PAGE);
      assertThat(use.transferred).isEqualTo(30 + 5 * PAGE);

      PoolClient other = pool.client();
      ObjectReader withItsEnd = other.open(path, use, 100);
      assertThat(withItsEnd.read(3 * PAGE - 50, ByteBuffer.allocate(50))).isEqualTo(50);
      assertThat(use.transferred).as("the end, once").isEqualTo(130 + 5 * PAGE);
      assertThat(use.hits + use.misses).isZero();
    }
  }

  /** Sixteen threads want the same pages at the same time. */
  @Test
  void whatSeveralThreadsWantIsReadOnce() throws Exception {
    int threads = 16;
    int pages = 8;
    try (TestPool pool = TestPool.ofServers(2, 20)) {
      PoolClient client =
          pool.client(
              pool.options().withCaches(new CacheOptions(0, (long) pages * PAGE, Duration.ZERO)));
      byte[] bytes = randomBytes(1, pages * PAGE);
      write(client, "/object", Lifetime.LEASE, bytes);
      AtomicInteger misses = new AtomicInteger();
      AtomicInteger transferred = new AtomicInteger();
      ReadObserver use =
          new ReadObserver() {
            @Override
            public void transferred(int bytes) {
              transferred.addAndGet(bytes);
            }

            @Override
            public void page(boolean cached, int length) {
              misses.addAndGet(cached ? 0 : 1);
            }

            @Override
            public void name(boolean cached) {
              throw new AssertionError("no names are remembered");
            }
          };
      ObjectReader reader = client.open(PoolPath.of("/object"), use);
      CyclicBarrier together = new CyclicBarrier(threads);
      ExecutorService all = Executors.newFixedThreadPool(threads);
      try {
        List<Future<byte[]>> reads = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
          reads.add(
              all.submit(
                  () -> {
                    ByteBuffer into = ByteBuffer.allocate(bytes.length);
                    together.await(1, TimeUnit.MINUTES);
                    reader.read(0, into);
                    return into.array();
                  }));
        }
        for (Future<byte[]> read : reads) {
          assertThat(read.get(1, TimeUnit.MINUTES)).isEqualTo(bytes);
        }
      } finally {
        all.shutdownNow();
      }
      assertThat(misses).hasValue(pages);
      assertThat(transferred).hasValue(pages * PAGE);
    }
  }

  /** Used by one thread. */
  private static final class CountedUse implements ReadObserver {
    private long hits;
    private long misses;
    private long hitBytes;
    private long names;
    private long askedNames;
    private long transferred;

    @Override
    public void transferred(int bytes) {
      transferred += bytes;
    }

    @Override
    public void page(boolean cached, int bytes) {
      hits += cached ? 1 : 0;
      misses += cached ? 0 : 1;
      hitBytes += cached ? bytes : 0;
    }

    @Override
    public void name(boolean cached) {
      names += cached ? 1 : 0;
      askedNames += cached ? 0 : 1;
    }
  }
}
