// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import static dev.anemone.rdma.pool.TestPool.PAGE;
import static dev.anemone.rdma.pool.TestPool.randomBytes;
import static dev.anemone.rdma.pool.TestPool.read;
import static dev.anemone.rdma.pool.TestPool.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.pool.client.CacheOptions;
import dev.anemone.rdma.pool.client.ObjectSettings;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.protocol.PageRef;
import dev.anemone.rdma.pool.protocol.RefusedException;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.pool.protocol.StoredObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.List;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/** What servers count since they were started. */
class ServerCountersTest {

  private static final ObjectSettings LEASED = ObjectSettings.of(Lifetime.LEASE);
  private static final int SMALL = 100;
  private static final int LARGE = 3 * PAGE + 5;
  private static final ServerStatus.Counters ZERO =
      new ServerStatus.Counters(
          new ServerStatus.Commits(0, 0),
          new ServerStatus.Lookups(0, 0, 0),
          new ServerStatus.Pages(0, 0, 0));

  private static ServerStatus.Counters counters(TestPool pool) {
    return pool.server(0).status().counters();
  }

  private static PoolClient withoutNames(TestPool pool) throws IOException {
    return pool.client(pool.options().withCaches(new CacheOptions(0, 0, Duration.ZERO)));
  }

  @Test
  void objectsThatBecomeVisibleAndGoAreCounted() throws IOException {
    try (TestPool pool = TestPool.ofServers(1, 20)) {
      assertThat(counters(pool)).isEqualTo(ZERO);
      PoolClient client = pool.client();
      client.put(PoolPath.of("/small"), ByteBuffer.wrap(randomBytes(1, SMALL)), LEASED);
      write(client, "/large", Lifetime.LEASE, randomBytes(2, LARGE));

      assertThat(counters(pool).commits()).isEqualTo(new ServerStatus.Commits(2, SMALL + LARGE));
      assertThat(counters(pool).pages()).isEqualTo(new ServerStatus.Pages(5L * PAGE, 0, 0));
      assertThat(client.status().get(0).counters()).isEqualTo(counters(pool));
      client.put(PoolPath.of("/small"), ByteBuffer.wrap(randomBytes(3, SMALL)), LEASED.replacing());
      client.delete(PoolPath.of("/large"));

      assertThat(counters(pool).commits())
          .isEqualTo(new ServerStatus.Commits(3, SMALL + LARGE + SMALL));
      assertThat(counters(pool).pages()).isEqualTo(new ServerStatus.Pages(6L * PAGE, 5L * PAGE, 0));
      assertThat(pool.server(0).status().sealedBytes()).isEqualTo(PAGE);
    }
  }

  @Test
  void whatIsNotCommittedIsNotCounted() throws IOException {
    try (TestPool pool = TestPool.ofServers(1, 20)) {
      PoolClient client = pool.client();
      try (var writer = client.create(PoolPath.of("/given-up"), Lifetime.LEASE)) {
        writer.write(ByteBuffer.wrap(randomBytes(1, LARGE)));
      }

      assertThat(counters(pool).commits()).isEqualTo(ZERO.commits());
      assertThat(counters(pool).pages()).isEqualTo(ZERO.pages());
    }
  }

  /** A client repeats a commit when it has not heard an answer. */
  @Test
  void aCommitThatIsRepeatedCountsOnce() throws IOException {
    try (TestPool pool = TestPool.ofServers(1, 20);
        RawClient raw = new RawClient(pool, 0)) {
      Reply.Allocated page = raw.allocate();
      StoredObject object =
          new StoredObject(
              new ObjectId(raw.id(), 1),
              "/object",
              SMALL,
              0,
              0,
              Lifetime.LEASE,
              List.of(
                  new PageRef(
                      0,
                      raw.caller().welcome().incarnation(),
                      page.tier(),
                      page.number(),
                      page.generation(),
                      SMALL,
                      0)));
      for (int i = 0; i < 2; i++) {
        assertThat(raw.caller().call(new Request.Commit(object, 0), Reply.Done.class)).isNotNull();
      }

      assertThat(counters(pool).commits()).isEqualTo(new ServerStatus.Commits(1, SMALL));
      assertThat(counters(pool).pages()).isEqualTo(new ServerStatus.Pages(PAGE, 0, 0));
    }
  }

  @Test
  void lookupsAreCountedAndReadsAreNotSeen() throws IOException {
    try (TestPool pool = TestPool.ofServers(1, 20)) {
      PoolClient client = withoutNames(pool);
      client.put(PoolPath.of("/small"), ByteBuffer.wrap(randomBytes(1, SMALL)), LEASED);
      write(client, "/large", Lifetime.LEASE, randomBytes(2, LARGE));
      assertThat(counters(pool).lookups())
          .as("whether the name of the large one is taken")
          .isEqualTo(new ServerStatus.Lookups(1, 0, 0));

      assertThat(client.get(PoolPath.of("/small")).remaining()).isEqualTo(SMALL);
      var reader = client.open(PoolPath.of("/large"));
      ServerStatus.Counters opened = counters(pool);
      assertThat(opened.lookups()).isEqualTo(new ServerStatus.Lookups(3, 2, SMALL + LARGE));
      for (int i = 0; i < 2; i++) {
        assertThat(reader.read(0, ByteBuffer.allocate(LARGE))).isEqualTo(LARGE);
      }
      assertThat(counters(pool)).isEqualTo(opened);
      for (String nothing : List.of("/none", "/no-directory/none")) {
        assertThatThrownBy(() -> client.open(PoolPath.of(nothing)))
            .isInstanceOf(NoSuchFileException.class);
      }
      assertThat(counters(pool).lookups()).isEqualTo(new ServerStatus.Lookups(4, 2, SMALL + LARGE));
    }
  }

  @Test
  void namesThatAClientRemembersAreNotAskedFor() throws IOException {
    try (TestPool pool = TestPool.ofServers(1, 20)) {
      PoolClient client = pool.client();
      write(client, "/large", Lifetime.LEASE, randomBytes(2, LARGE));
      for (int i = 0; i < 3; i++) {
        assertThat(read(client, "/large")).isEqualTo(randomBytes(2, LARGE));
      }

      assertThat(counters(pool).lookups()).isEqualTo(new ServerStatus.Lookups(2, 1, LARGE));
    }
  }

  @Test
  void pagesThatAreNotThereAreRefused() throws IOException {
    try (TestPool pool = TestPool.ofServers(1, 2);
        RawClient raw = new RawClient(pool, 0)) {
      for (int i = 0; i < 2; i++) {
        assertThat(raw.allocate().tier()).isEqualTo(TierKind.DRAM);
      }
      assertThat(counters(pool).pages().refused()).isZero();
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(raw::allocate).isInstanceOf(RefusedException.class);
      }

      assertThat(counters(pool).pages()).isEqualTo(new ServerStatus.Pages(0, 0, 3));
    }
  }

  /** An object counts at the server of its name, its pages at those where they lie. */
  @Test
  void serversTogetherCountEachObjectOnce() throws IOException {
    int objects = 12;
    try (TestPool pool = TestPool.ofServers(3, 40)) {
      PoolClient client = pool.client();
      for (int i = 0; i < objects; i++) {
        client.createDirectory(PoolPath.of("/d" + i), Lifetime.LEASE);
        write(client, "/d" + i + "/object", Lifetime.LEASE, randomBytes(i, LARGE));
      }

      assertThat(sum(client, counted -> counted.commits().objects())).isEqualTo(objects);
      assertThat(sum(client, counted -> counted.commits().bytes()))
          .isEqualTo((long) objects * LARGE);
      assertThat(sum(client, counted -> counted.pages().sealedBytes()))
          .isEqualTo(4L * objects * PAGE);
      assertThat(client.status())
          .allSatisfy(
              status ->
                  assertThat(status.counters().pages().sealedBytes())
                      .isEqualTo(status.sealedBytes()));
    }
  }

  private static long sum(PoolClient client, ToLongFunction<ServerStatus.Counters> counter) {
    return client.status().stream().map(ServerStatus::counters).mapToLong(counter).sum();
  }
}
