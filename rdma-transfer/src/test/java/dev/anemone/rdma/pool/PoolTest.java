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
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.rdma.transport.MemoryRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a user of the pool sees while nothing fails. */
class PoolTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, PAGE - 1, PAGE, PAGE + 1, 5 * PAGE + 17, 20 * PAGE})
  void whatIsWrittenIsRead(int length) throws IOException {
    try (TestPool pool = TestPool.ofServers(3, 40)) {
      PoolClient writer = pool.client();
      PoolClient reader = pool.client();
      byte[] bytes = randomBytes(length, length);

      write(writer, "/object", Lifetime.LEASE, bytes);

      assertThat(read(reader, "/object")).isEqualTo(bytes);
      ObjectAttributes attributes = reader.getAttributes(PoolPath.of("/object"));
      assertThat(attributes.length()).isEqualTo(length);
      assertThat(attributes.lifetime()).isEqualTo(Lifetime.LEASE);
      assertThat(attributes.id().client()).isEqualTo(writer.id());
      int pages = (length + PAGE - 1) / PAGE;
      assertThat(attributes.servers()).hasSize(Math.min(3, pages));
      assertThat(pool.usedBytes()).isEqualTo((long) pages * PAGE);
    }
  }

  @Test
  void bytesComeFromAndGoToRegisteredMemory() throws IOException {
    try (TestPool pool = TestPool.ofServers(2, 40)) {
      PoolClient client = pool.client();
      byte[] bytes = randomBytes(1, 6 * PAGE + 100);
      MemoryRegion memory = pool.region(bytes.length);
      memory.memory().put(bytes);
      try (ObjectWriter writer = client.create(PoolPath.of("/object"), Lifetime.LEASE)) {
        writer.write(ByteBuffer.wrap(bytes, 0, 300));
        writer.write(memory, 300, 4 * PAGE);
        writer.write(ByteBuffer.wrap(bytes, 300 + 4 * PAGE, 50));
        writer.write(memory, 350 + 4 * PAGE, bytes.length - 350 - 4 * PAGE);
        writer.commit();
      }
      memory.memory().put(new byte[bytes.length]);

      ObjectReader reader = client.open(PoolPath.of("/object"));
      reader.read(10, memory, 5, bytes.length - 20);

      byte[] got = new byte[bytes.length - 20];
      memory.memory().position(5).get(got);
      assertThat(got).isEqualTo(Arrays.copyOfRange(bytes, 10, bytes.length - 10));
      assertThatThrownBy(() -> reader.read(11, memory, 0, bytes.length - 10))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void anObjectIsInvisibleUntilItIsCommitted() throws IOException {
    try (TestPool pool = TestPool.ofServers(2, 40)) {
      PoolClient client = pool.client();
      PoolClient other = pool.client();
      ObjectWriter writer = client.create(PoolPath.of("/object"), Lifetime.LEASE);
      writer.write(ByteBuffer.wrap(randomBytes(2, 3 * PAGE)));

      assertThat(other.list(PoolPath.ROOT)).isEmpty();
      assertThatThrownBy(() -> other.open(PoolPath.of("/object")))
          .isInstanceOf(NoSuchFileException.class)
          .hasMessageContaining("/object");
      writer.commit();

      assertThat(other.list(PoolPath.ROOT))
          .containsExactly(
              new PoolEntry(
                  PoolPath.of("/object"),
                  false,
                  3 * PAGE,
                  other.getAttributes(PoolPath.of("/object")).committed()));
      assertThatThrownBy(() -> writer.write(ByteBuffer.allocate(1)))
          .isInstanceOf(ClosedChannelException.class);
    }
  }

  @Test
  void aWriterThatIsClosedWithoutCommitLeavesNothing() throws IOException {
    try (TestPool pool = TestPool.ofServers(2, 40)) {
      PoolClient client = pool.client();
      try (ObjectWriter writer = client.create(PoolPath.of("/object"), Lifetime.POOL)) {
        writer.write(ByteBuffer.wrap(randomBytes(3, 5 * PAGE + 5)));
      }

      assertThat(pool.usedBytes()).isZero();
      assertThat(client.list(PoolPath.ROOT)).isEmpty();
    }
  }

  @Test
  void twoWritersOfOnePathCannotBothCommit() throws IOException {
    try (TestPool pool = TestPool.ofServers(2, 40)) {
      PoolClient client = pool.client();
      ObjectWriter first = client.create(PoolPath.of("/object"), Lifetime.LEASE);
      ObjectWriter second = client.create(PoolPath.of("/object"), Lifetime.LEASE);
      first.write(ByteBuffer.wrap(new byte[] {1}));
      second.write(ByteBuffer.wrap(new byte[] {2}));

      second.commit();

      assertThatThrownBy(first::commit).isInstanceOf(FileAlreadyExistsException.class);
      assertThatThrownBy(() -> client.create(PoolPath.of("/object"), Lifetime.LEASE))
          .isInstanceOf(FileAlreadyExistsException.class);
      assertThat(read(pool.client(), "/object")).containsExactly(2);
      assertThat(pool.usedBytes()).isEqualTo(PAGE);
    }
  }

  @Test
  void directoriesHoldNames() throws IOException {
    try (TestPool pool = TestPool.ofServers(3, 40)) {
      PoolClient client = pool.client();
      client.createDirectory(PoolPath.of("/job/stage"));
      client.createDirectory(PoolPath.of("/job/stage"));
      write(client, "/job/stage/block", Lifetime.POOL, new byte[10]);

      assertThatThrownBy(() -> client.create(PoolPath.of("/none/block"), Lifetime.POOL))
          .isInstanceOf(NoSuchFileException.class)
          .hasMessageContaining("/none");
      assertThatThrownBy(() -> client.createDirectory(PoolPath.of("/job/stage/block")))
          .isInstanceOf(FileAlreadyExistsException.class);
      assertThatThrownBy(() -> client.removeDirectory(PoolPath.of("/job/stage"), false))
          .isInstanceOf(DirectoryNotEmptyException.class);
      assertThatThrownBy(() -> client.delete(PoolPath.of("/job/stage")))
          .hasMessageContaining("/job/stage is a directory");
      assertThat(client.list(PoolPath.of("/job")))
          .containsExactly(new PoolEntry(PoolPath.of("/job/stage"), true, 0, Instant.EPOCH));

      client.removeDirectory(PoolPath.of("/job"), true);

      assertThat(client.list(PoolPath.ROOT)).isEmpty();
      assertThatThrownBy(() -> client.list(PoolPath.of("/job/stage")))
          .isInstanceOf(NoSuchFileException.class);
      assertThat(pool.usedBytes()).isZero();
    }
  }

  /** Its answer is longer than a message of the transport. */
  @Test
  void aDirectoryCanHoldManyNames() throws IOException {
    try (TestPool pool = TestPool.ofServers(2, 4)) {
      PoolClient client = pool.client();
      List<String> names = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        String name = "a".repeat(100) + i;
        client.createDirectory(PoolPath.of("/many/" + name));
        names.add(name);
      }
      assertThat(client.list(PoolPath.of("/many")))
          .extracting(entry -> entry.path().name())
          .containsExactlyInAnyOrderElementsOf(names);
    }
  }

  @Test
  void aFullPoolSaysHowFullEachServerIs() throws IOException {
    try (TestPool pool = TestPool.ofServers(2, 4)) {
      PoolClient client = pool.client();
      write(client, "/first", Lifetime.LEASE, new byte[5 * PAGE]);
      ObjectWriter second = client.create(PoolPath.of("/second"), Lifetime.LEASE);

      assertThatThrownBy(() -> second.write(ByteBuffer.allocate(4 * PAGE)))
          .isInstanceOf(PoolFullException.class)
          .hasMessageContaining(pool.addresses().get(0) + " uses " + 4 * PAGE + " of " + 4 * PAGE)
          .hasMessageContaining(pool.addresses().get(1) + " uses " + 4 * PAGE);
      second.close();
      client.delete(PoolPath.of("/first"));

      write(client, "/all", Lifetime.LEASE, new byte[8 * PAGE]);
      assertThat(pool.usedBytes()).isEqualTo(8 * PAGE);
    }
  }

  @Test
  void tiersAreFilledInOrder(@TempDir Path directory) throws IOException {
    try (TestPool pool =
        TestPool.ofServers(
            1,
            TierOptions.dram(2 * PAGE),
            TierOptions.pmem(directory, 3 * PAGE),
            TierOptions.file(directory, 4 * PAGE))) {
      PoolClient client = pool.client();
      byte[] bytes = randomBytes(4, 7 * PAGE);
      write(client, "/object", Lifetime.LEASE, bytes);

      assertThat(pool.server(0).status().tiers())
          .containsExactly(
              new ServerStatus.Tier(TierKind.DRAM, 2 * PAGE, 2 * PAGE, 0),
              new ServerStatus.Tier(TierKind.PMEM, 3 * PAGE, 3 * PAGE, 0),
              new ServerStatus.Tier(TierKind.FILE, 4 * PAGE, 2 * PAGE, 4 * PAGE));
      assertThat(client.getAttributes(PoolPath.of("/object")).tiers())
          .containsExactlyInAnyOrder(TierKind.values());
      assertThat(read(client, "/object")).isEqualTo(bytes);
      client.delete(PoolPath.of("/object"));
      write(client, "/small", Lifetime.LEASE, new byte[1]);
      assertThat(client.getAttributes(PoolPath.of("/small")).tiers())
          .containsExactly(TierKind.DRAM);
      try (Stream<Path> files = Files.list(directory)) {
        assertThat(files).as("files that a killed server would leave").isEmpty();
      }
    }
  }

  @Test
  void pagesAreDealtOutByFreeSpace() throws IOException {
    try (TestPool pool = TestPool.ofServers(2, 30)) {
      PoolClient client = pool.client();
      write(client, "/even", Lifetime.LEASE, new byte[20 * PAGE]);

      assertThat(pool.server(0).status().usedBytes()).isEqualTo(10 * PAGE);
      assertThat(pool.server(1).status().usedBytes()).isEqualTo(10 * PAGE);
    }
  }

  @Test
  void manyWritersShareFewBuffers() throws Exception {
    try (TestPool pool = TestPool.ofServers(1, 40)) {
      PoolClient client =
          pool.client(pool.options().withBuffers(2).withDeadline(Duration.ofMillis(300)));
      List<ObjectWriter> writers =
          List.of(
              client.create(PoolPath.of("/a"), Lifetime.LEASE),
              client.create(PoolPath.of("/b"), Lifetime.LEASE),
              client.create(PoolPath.of("/c"), Lifetime.LEASE));
      writers.get(0).write(ByteBuffer.allocate(10));
      writers.get(1).write(ByteBuffer.allocate(10));

      assertThatThrownBy(() -> writers.get(2).write(ByteBuffer.allocate(10)))
          .hasMessageContaining("All 2 buffers");
      writers.get(0).commit();

      assertThat(writers.get(2).write(ByteBuffer.allocate(10))).isEqualTo(10);
      for (ObjectWriter writer : writers) {
        writer.close();
      }
    }
  }

  @Test
  void whoHasNotTheTokenIsRefused() throws IOException {
    try (TestPool pool = TestPool.ofServers(1, 4)) {
      PoolClientOptions wrong = PoolClientOptions.of(pool.addresses(), AccessToken.of("guess"));

      assertThatThrownBy(() -> PoolClient.connect(pool.clientTransport(), wrong))
          .isInstanceOf(AccessRefusedException.class)
          .hasMessageContaining(pool.addresses().get(0).toString())
          .hasMessageContaining("token");
      assertThat(pool.server(0).status().clients()).isZero();
    }
  }

  @Test
  void whoKnowsOtherServersIsRefused() throws IOException {
    try (TestPool pool = TestPool.ofServers(2, 4)) {
      PoolClientOptions wrong =
          PoolClientOptions.of(List.of(pool.addresses().get(0)), TestPool.TOKEN);

      assertThatThrownBy(() -> PoolClient.connect(pool.clientTransport(), wrong))
          .isInstanceOf(AccessRefusedException.class)
          .hasMessageContaining("Name the same servers everywhere");
    }
  }

  @Test
  void aServerThatIsNotThereIsNamed() throws IOException {
    List<ServerAddress> nobody = TestPool.freeAddresses(1);
    try (TestPool pool = TestPool.ofServers(1, 4)) {
      assertThatThrownBy(
              () ->
                  PoolClient.connect(
                      pool.clientTransport(), PoolClientOptions.of(nobody, TestPool.TOKEN)))
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContaining(nobody.get(0).toString());
    }
  }
}
