// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import static dev.anemone.rdma.pool.TestPool.PAGE;
import static dev.anemone.rdma.pool.TestPool.randomBytes;
import static dev.anemone.rdma.pool.TestPool.read;
import static dev.anemone.rdma.pool.TestPool.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.pool.client.ObjectWriter;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.transport.MemoryRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A writer that finds no room, and goes on when there is some. */
class FullPoolTest {

  private static final PoolPath FIRST = PoolPath.of("/first");
  private static final PoolPath SECOND = PoolPath.of("/second");

  private TestPool pool;
  private PoolClient client;

  @BeforeEach
  void leaveOnePage() throws IOException {
    pool = TestPool.ofServers(1, 4);
    client = pool.client();
    write(client, FIRST.value(), Lifetime.LEASE, new byte[3 * PAGE]);
  }

  @AfterEach
  void close() {
    pool.close();
  }

  @Test
  void theCommitCanBeRepeated() throws IOException {
    byte[] bytes = randomBytes(1, PAGE + PAGE / 2);
    try (ObjectWriter writer = client.create(SECOND, Lifetime.LEASE)) {
      writer.write(ByteBuffer.wrap(bytes));
      assertThatThrownBy(writer::commit).isInstanceOf(PoolFullException.class);
      client.delete(FIRST);

      writer.commit();
    }
    assertThat(read(client, SECOND.value())).isEqualTo(bytes);
  }

  @Test
  void writingGoesOnAtTheBuffersPosition() throws IOException {
    byte[] bytes = randomBytes(2, 3 * PAGE + 10);
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    try (ObjectWriter writer = client.create(SECOND, Lifetime.LEASE)) {
      assertThatThrownBy(() -> writer.write(buffer)).isInstanceOf(PoolFullException.class);
      assertThat(writer.length()).isEqualTo(buffer.position()).isPositive();
      client.delete(FIRST);

      writer.write(buffer);
      writer.commit();
    }
    assertThat(read(client, SECOND.value())).isEqualTo(bytes);
  }

  @Test
  void whatWasTakenIsAnObject() throws IOException {
    byte[] bytes = randomBytes(3, 3 * PAGE);
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    try (ObjectWriter writer = client.create(SECOND, Lifetime.LEASE)) {
      assertThatThrownBy(() -> writer.write(buffer)).isInstanceOf(PoolFullException.class);
      client.delete(FIRST);

      assertThat(writer.commit().length()).isEqualTo(buffer.position());
    }
    assertThat(ByteBuffer.wrap(read(client, SECOND.value())))
        .isEqualTo(ByteBuffer.wrap(bytes, 0, buffer.position()));
  }

  @Test
  void writingFromRegisteredMemoryGoesOnAtTheLength() throws IOException {
    byte[] bytes = randomBytes(4, 3 * PAGE);
    MemoryRegion memory = pool.region(bytes.length);
    memory.memory().put(0, bytes);
    try (ObjectWriter writer = client.create(SECOND, Lifetime.LEASE)) {
      assertThatThrownBy(() -> writer.write(memory, 0, bytes.length))
          .isInstanceOf(PoolFullException.class);
      int taken = (int) writer.length();
      assertThat(taken).isEqualTo(PAGE);
      client.delete(FIRST);

      writer.write(memory, taken, bytes.length - taken);
      writer.commit();
    }
    assertThat(read(client, SECOND.value())).isEqualTo(bytes);
  }
}
