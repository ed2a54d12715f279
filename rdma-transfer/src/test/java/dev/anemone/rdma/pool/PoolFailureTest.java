// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import static dev.anemone.rdma.pool.TestPool.PAGE;
import static dev.anemone.rdma.pool.TestPool.randomBytes;
import static dev.anemone.rdma.pool.TestPool.read;
import static dev.anemone.rdma.pool.TestPool.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.pool.client.ObjectReader;
import dev.anemone.rdma.pool.client.ObjectWriter;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.transport.Await;
import dev.anemone.rdma.transport.MemoryRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a user of the pool sees when servers and clients end, and objects are deleted. */
class PoolFailureTest {

  @Test
  void aDeadServerTakesOnlyWhatItAloneHeld() throws IOException {
    try (TestPool pool = TestPool.ofServers(3, 60)) {
      PoolClient client = pool.client();
      Map<String, byte[]> objects = writeMany(client, 30);
      ServerAddress dead = pool.addresses().get(1);
      Map<String, Boolean> held = new HashMap<>();
      for (String path : objects.keySet()) {
        held.put(path, client.getAttributes(PoolPath.of(path)).servers().contains(dead));
      }
      assertThat(held.values()).contains(true, false);

      pool.stop(1);

      PoolClient fresh = pool.client();
      for (PoolClient reader : new PoolClient[] {client, fresh}) {
        for (Map.Entry<String, byte[]> object : objects.entrySet()) {
          if (held.get(object.getKey())) {
            assertThatThrownBy(() -> read(reader, object.getKey()))
                .isInstanceOfSatisfying(
                    ObjectLostException.class,
                    lost -> {
                      assertThat(lost.object()).isEqualTo(object.getKey());
                      assertThat(lost.server()).isEqualTo(dead.toString());
                    });
          } else {
            assertThat(read(reader, object.getKey())).isEqualTo(object.getValue());
          }
        }
      }
      assertThat(fresh.list(PoolPath.of("/d0"))).isNotEmpty();
      write(client, "/after", Lifetime.POOL, randomBytes(9, 5 * PAGE));
      assertThat(read(fresh, "/after")).isEqualTo(randomBytes(9, 5 * PAGE));
      removeAll(fresh);
    }
  }

  @Test
  void aServerThatComesBackIsEmptyAndKnowsTheNames() throws IOException {
    try (TestPool pool = TestPool.ofServers(3, 60)) {
      PoolClient client = pool.client();
      Map<String, byte[]> objects = writeMany(client, 20);
      ServerAddress dead = pool.addresses().get(2);
      pool.stop(2);
      write(client, "/d1/between", Lifetime.POOL, randomBytes(1, 10));
      objects.put("/d1/between", randomBytes(1, 10));

      pool.start(2);

      assertThat(pool.server(2).status().usedBytes()).isZero();
      for (int other = 0; other < 2; other++) {
        // Each of the two others is now lost in turn: the one that came back has its copy.
        PoolClient fresh = pool.client();
        for (Map.Entry<String, byte[]> object : objects.entrySet()) {
          var servers = fresh.getAttributes(PoolPath.of(object.getKey())).servers();
          if (servers.contains(dead)) {
            assertThatThrownBy(() -> read(fresh, object.getKey()))
                .as("a page of another incarnation")
                .isInstanceOf(ObjectLostException.class);
          } else if (other == 0) {
            assertThat(read(fresh, object.getKey())).isEqualTo(object.getValue());
          }
        }
        if (other == 0) {
          pool.stop(0);
        }
      }
      removeAll(client);
    }
  }

  @Test
  void aServerThatWasAwayAMomentAgoIsAskedWhenTheOtherOneDies() throws IOException {
    try (TestPool pool = TestPool.ofServers(2, 10)) {
      PoolClient client = pool.client();
      List<PoolPath> directories =
          IntStream.range(0, 12).mapToObj(i -> PoolPath.of("/d" + i)).toList();
      for (PoolPath directory : directories) {
        client.createDirectory(directory);
      }
      pool.stop(1);
      for (PoolPath directory : directories) {
        // By this the client knows that the server is down, as it is the first to ask for some.
        assertThat(client.list(directory)).isEmpty();
      }

      pool.start(1);
      pool.stop(0);

      for (PoolPath directory : directories) {
        assertThat(client.list(directory)).isEmpty();
      }
      removeAll(client);
    }
  }

  @Test
  void aWriterWhoseServerDiesIsToldAndLeavesNothing() throws IOException {
    try (TestPool pool = TestPool.ofServers(2, 40)) {
      PoolClient client = pool.client();
      ObjectWriter writer = client.create(PoolPath.of("/object"), Lifetime.POOL);
      writer.write(ByteBuffer.wrap(randomBytes(1, 6 * PAGE)));

      pool.stop(0);

      assertThatThrownBy(writer::commit).hasMessageContaining(pool.addresses().get(0).toString());
      assertThat(pool.usedBytes()).isZero();
      assertThat(client.list(PoolPath.ROOT)).isEmpty();
    }
  }

  @Test
  void leasedObjectsGoWithTheirClient() throws IOException {
    try (TestPool pool = TestPool.ofServers(3, 60)) {
      PoolClient dying = pool.client();
      PoolClient staying = pool.client();
      for (int i = 0; i < 5; i++) {
        staying.createDirectory(PoolPath.of("/d" + i));
        write(dying, "/d" + i + "/leased", Lifetime.LEASE, new byte[3 * PAGE]);
        write(dying, "/d" + i + "/pool", Lifetime.POOL, new byte[PAGE]);
        write(staying, "/d" + i + "/other", Lifetime.LEASE, new byte[PAGE]);
      }
      ObjectWriter unfinished = dying.create(PoolPath.of("/unfinished"), Lifetime.POOL);
      unfinished.write(ByteBuffer.wrap(new byte[10 * PAGE]));

      dying.close();

      pool.awaitUsed(10 * PAGE);
      for (int i = 0; i < 5; i++) {
        assertThat(staying.list(PoolPath.of("/d" + i)))
            .extracting(entry -> entry.path().name())
            .containsExactly("other", "pool");
        String path = "/d" + i + "/leased";
        assertThatThrownBy(() -> staying.open(PoolPath.of(path)))
            .isInstanceOf(NoSuchFileException.class);
      }
      removeAll(staying);
    }
  }

  @Test
  void leasedObjectsGoEvenIfTheServerThatKnewTheirClientIsDead() throws IOException {
    try (TestPool pool = TestPool.ofServers(2, 60)) {
      PoolClient client = pool.client();
      PoolClient staying = pool.client();
      for (int i = 0; i < 5; i++) {
        staying.createDirectory(PoolPath.of("/d" + i));
        write(client, "/d" + i + "/leased", Lifetime.LEASE, new byte[3 * PAGE]);
      }
      pool.stop(0);
      client.close();
      pool.start(0);

      for (int i = 0; i < 5; i++) {
        PoolPath directory = PoolPath.of("/d" + i);
        Await.until(
            directory + " is empty",
            () -> {
              try {
                return staying.list(directory).isEmpty();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
      }
      removeAll(staying);
    }
  }

  @Test
  void aSilentClientLosesItsLease() throws IOException {
    try (TestPool pool = TestPool.ofServers(1, 10)) {
      try (RawClient silent = new RawClient(pool, 0)) {
        silent.allocate();
        assertThat(pool.usedBytes()).isEqualTo(PAGE);
        long begin = System.nanoTime();

        pool.awaitUsed(0);

        assertThat(Duration.ofNanos(System.nanoTime() - begin))
            .isGreaterThan(TestPool.LEASE.minusMillis(100));
        Await.until("the silent client's connection is closed", () -> !silent.isOpen());
      }
    }
  }

  @Test
  void aReaderOfADeletedObjectNeverGetsTheBytesOfAnother() throws IOException {
    try (TestPool pool = TestPool.ofServers(1, 4)) {
      PoolClient reading = pool.client();
      PoolClient deleting = pool.client();
      MemoryRegion memory = pool.region(4 * PAGE);
      write(deleting, "/object", Lifetime.LEASE, randomBytes(1, 4 * PAGE));
      ObjectReader reader = reading.open(PoolPath.of("/object"));
      reader.read(10, memory, 0, 100);

      deleting.delete(PoolPath.of("/object"));
      write(deleting, "/other", Lifetime.LEASE, randomBytes(2, 4 * PAGE));

      for (int[] range : new int[][] {{10, 100}, {0, PAGE}, {0, 4 * PAGE}, {5, 2 * PAGE}}) {
        assertThatThrownBy(() -> reader.read(range[0], memory, 0, range[1]))
            .isInstanceOf(ObjectDeletedException.class)
            .hasMessageContaining("/object");
        assertThatThrownBy(() -> reader.read(range[0], ByteBuffer.allocate(range[1])))
            .isInstanceOf(ObjectDeletedException.class);
      }
      assertThatThrownBy(() -> reading.open(PoolPath.of("/object")))
          .as("the deletion has been seen")
          .isInstanceOf(NoSuchFileException.class);
    }
  }

  @Test
  void aDamagedPageIsNotGivenToAnybody() throws IOException {
    try (TestPool pool = TestPool.ofServers(1, 4)) {
      PoolClient client = pool.client();
      write(client, "/object", Lifetime.LEASE, randomBytes(1, 2 * PAGE));
      try (RawClient raw = new RawClient(pool, 0)) {
        raw.overwrite(1, PAGE - 1, (byte) 0);
      }

      assertThatThrownBy(() -> read(client, "/object"))
          .isInstanceOf(DamagedPageException.class)
          .hasMessageContaining("/object")
          .hasMessageContaining("checksum");
    }
  }

  private static Map<String, byte[]> writeMany(PoolClient client, int count) throws IOException {
    Map<String, byte[]> objects = new HashMap<>();
    for (int i = 0; i < count; i++) {
      String directory = "/d" + i % 7;
      client.createDirectory(PoolPath.of(directory));
      byte[] bytes = randomBytes(i, 1 + i * PAGE / 10);
      write(client, directory + "/o" + i, Lifetime.POOL, bytes);
      objects.put(directory + "/o" + i, bytes);
    }
    return objects;
  }

  private static void removeAll(PoolClient client) throws IOException {
    for (PoolEntry entry : client.list(PoolPath.ROOT)) {
      if (entry.directory()) {
        client.removeDirectory(entry.path(), true);
      } else {
        client.delete(entry.path());
      }
    }
  }
}
