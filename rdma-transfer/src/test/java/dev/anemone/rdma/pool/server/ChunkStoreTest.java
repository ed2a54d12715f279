// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.pool.ObjectId;
import dev.anemone.rdma.pool.protocol.RefusedException;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request.Chunk;
import dev.anemone.rdma.pool.protocol.Request.Named;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ChunkStoreTest {

  private static final int CHUNK = 4096;
  private static final Named OBJECT = new Named(new ObjectId(new UUID(1, 2), 3), "/object");

  private final ByteBuffer generations = ByteBuffer.allocateDirect(4 * Long.BYTES);
  private final ChunkStore store =
      new ChunkStore(List.of(TierOptions.dram(4L * CHUNK)), CHUNK, generations);
  private final Object session = new Object();

  @Test
  void whatASessionHasIsFreeAfterItsEndAndOfAnotherGeneration() throws RefusedException {
    Chunk chunk = allocate(session);
    allocate(session);
    assertThat(store.openBytes()).isEqualTo(2 * CHUNK);

    store.releaseAll(session);

    assertThat(store.freeChunks()).isEqualTo(4);
    assertThat(generations.getLong(chunk.number() * Long.BYTES)).isEqualTo(chunk.generation() + 1);
  }

  @Test
  void aCommitAfterTheEndOfTheLeaseFindsNothing() throws RefusedException {
    Chunk chunk = allocate(session);
    store.releaseAll(session);

    assertThatThrownBy(() -> store.seal(OBJECT, List.of(chunk)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("lease");
    Chunk reused = allocate(new Object());
    assertThat(reused.number()).isEqualTo(chunk.number());
    assertThatThrownBy(() -> store.seal(OBJECT, List.of(chunk)))
        .as("a chunk that is another writer's by now")
        .isInstanceOf(RefusedException.class);
  }

  @Test
  void chunksThatThereAreNotAreRefused() throws RefusedException {
    allocate(session);
    for (int number : new int[] {-1, 4, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      List<Chunk> chunks = List.of(new Chunk(number, 0));
      assertThatThrownBy(() -> store.seal(OBJECT, chunks))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("no chunk " + number);
      assertThatThrownBy(() -> store.release(session, chunks)).isInstanceOf(RefusedException.class);
    }
    assertThat(store.freeChunks()).isEqualTo(3);
  }

  @Test
  void whatIsSealedOutlivesItsWriter() throws RefusedException {
    Chunk chunk = allocate(session);
    Chunk other = allocate(session);
    store.seal(OBJECT, List.of(chunk));
    store.seal(OBJECT, List.of(chunk));

    store.releaseAll(session);

    assertThat(store.sealedBytes()).isEqualTo(CHUNK);
    assertThat(store.openBytes()).isZero();
    assertThatThrownBy(() -> store.seal(OBJECT, List.of(chunk, other)))
        .isInstanceOf(RefusedException.class);
    store.free(OBJECT.id());
    store.free(OBJECT.id());
    assertThat(store.freeChunks()).isEqualTo(4);
  }

  @Test
  void anObjectThatIsSealedAgainMeanwhileIsNotFreed() throws RefusedException {
    Chunk chunk = allocate(session);
    store.seal(OBJECT, List.of(chunk));
    ChunkStore.SealedObject seen = store.sealedObjects().get(0);
    store.seal(OBJECT, List.of(chunk));

    store.freeUnlessSealedAgain(seen);
    assertThat(store.sealedBytes()).isEqualTo(CHUNK);

    store.freeUnlessSealedAgain(store.sealedObjects().get(0));
    assertThat(store.freeChunks()).isEqualTo(4);
  }

  @Test
  void chunksOfOthersCannotBeReleased() throws RefusedException {
    Chunk chunk = allocate(session);
    Object stranger = new Object();
    Chunk own = allocate(stranger);

    assertThatThrownBy(() -> store.release(stranger, List.of(own, chunk)))
        .isInstanceOf(RefusedException.class);
    assertThat(store.openBytes()).isEqualTo(2 * CHUNK);
    store.release(stranger, List.of(own, own));

    assertThat(store.freeChunks()).isEqualTo(3);
  }

  private Chunk allocate(Object writer) throws RefusedException {
    Reply.Allocated allocated = store.allocate(writer);
    return new Chunk(allocated.number(), allocated.generation());
  }
}
