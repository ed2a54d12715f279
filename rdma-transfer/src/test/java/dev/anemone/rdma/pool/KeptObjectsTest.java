// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import static dev.anemone.rdma.pool.TestPool.PAGE;
import static dev.anemone.rdma.pool.TestPool.randomBytes;
import static dev.anemone.rdma.pool.TestPool.read;
import static dev.anemone.rdma.pool.TestPool.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.pool.client.ObjectSettings;
import dev.anemone.rdma.pool.client.ObjectWriter;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.transport.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Objects that outlive who wrote them: for some time, or until they are replaced or deleted. */
class KeptObjectsTest {

  private static final PoolPath PATH = PoolPath.of("/d/object");
  private static final ObjectSettings KEPT = ObjectSettings.of(Lifetime.POOL);

  private static void commit(PoolClient client, ObjectSettings settings, byte[] bytes)
      throws IOException {
    try (ObjectWriter writer = client.create(PATH, settings)) {
      writer.write(ByteBuffer.wrap(bytes));
      writer.commit();
    }
  }

  private static boolean isEmpty(PoolClient client) {
    try {
      return client.list(PATH.parent()).isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void anObjectGoesWhenItsTimeIsOverAndItsWriterIsGone() throws IOException {
    try (TestPool pool = TestPool.ofServers(3, 20)) {
      PoolClient reader = pool.client();
      try (PoolClient writer = PoolClient.connect(pool.clientTransport(), pool.options())) {
        writer.createDirectory(PATH.parent());
        commit(writer, KEPT.withKeep(Duration.ofSeconds(2)), randomBytes(1, 5 * PAGE));
        var attributes = writer.getAttributes(PATH);
        assertThat(attributes.expires()).contains(attributes.committed().plusSeconds(2));
      }
      assertThat(read(reader, PATH.value())).isEqualTo(randomBytes(1, 5 * PAGE));

      pool.awaitUsed(0);
      assertThat(isEmpty(reader)).isTrue();
      Await.until(
          "it cannot be opened",
          () -> {
            try {
              return reader.open(PATH) == null;
            } catch (NoSuchFileException e) {
              return true;
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      reader.removeDirectory(PATH.parent(), false);
    }
  }

  @Test
  void whoeverAnswersForANameLetsItsObjectGo() throws IOException {
    try (TestPool pool = TestPool.ofServers(2, 20)) {
      PoolClient client = pool.client();
      client.createDirectory(PATH.parent());
      commit(client, KEPT.withKeep(Duration.ofSeconds(2)), new byte[0]);
      for (int server = 0; server < 2; server++) {
        pool.stop(server);
        pool.start(server);
      }
      assertThat(isEmpty(client)).isFalse();
      Await.until("it has gone", () -> isEmpty(client));
      client.removeDirectory(PATH.parent(), false);
    }
  }

  @Test
  void anObjectTakesThePlaceOfAnotherWhenItIsCommitted() throws IOException {
    try (TestPool pool = TestPool.ofServers(2, 20)) {
      PoolClient client = pool.client();
      PoolClient other = pool.client();
      client.createDirectory(PATH.parent());
      write(client, PATH.value(), Lifetime.POOL, randomBytes(1, 3 * PAGE));
      assertThatThrownBy(() -> client.create(PATH, KEPT))
          .isInstanceOf(FileAlreadyExistsException.class);

      try (ObjectWriter given = other.create(PATH, KEPT.replacing())) {
        given.write(ByteBuffer.allocate(PAGE));
      }
      assertThat(read(client, PATH.value())).isEqualTo(randomBytes(1, 3 * PAGE));

      commit(other, KEPT.replacing(), randomBytes(2, 2 * PAGE));
      assertThat(read(pool.client(), PATH.value())).isEqualTo(randomBytes(2, 2 * PAGE));
      assertThat(pool.usedBytes()).isEqualTo(2 * PAGE);
      assertThatThrownBy(() -> client.create(PATH.parent(), KEPT.replacing()))
          .isInstanceOf(FileAlreadyExistsException.class);
      other.removeDirectory(PATH.parent(), true);
    }
  }
}
