// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.ObjectId;
import dev.anemone.rdma.pool.ServerStatus;
import dev.anemone.rdma.pool.TierKind;
import dev.anemone.rdma.pool.protocol.Refusal;
import dev.anemone.rdma.pool.protocol.RefusedException;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request.Chunk;
import dev.anemone.rdma.pool.protocol.Request.Named;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who has which chunk of this server. A chunk is free, or open: a session writes it; or sealed: it
 * belongs to an object. All chunks have one size and each tier has a stack of free ones, so nothing
 * is ever fragmented, and taking one is a few instructions.
 *
 * <p>A chunk's generation counts how often it was freed. It lies in registered memory: a reader
 * that finds the same generation after it has read bytes knows that they were the object's (as in
 * FaRM, Dragojević et al., 2014, with a version for each object).
 *
 * <p>Thread-safe.
 */
final class ChunkStore {

  private static final VarHandle GENERATION =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final int chunkBytes;
  private final ByteBuffer generations;
  private final List<Tier> tiers = new ArrayList<>();
  private final Map<Object, BitSet> open = new HashMap<>();
  private final Map<ObjectId, Sealed> sealed = new HashMap<>();
  private int sealedChunks;
  private long sealings;

  /** One tier's free chunks. */
  private static final class Tier {
    final TierKind kind;
    final int first;
    final int[] free;
    int freeCount;

    Tier(TierKind kind, int first, int count) {
      this.kind = kind;
      this.first = first;
      this.free = new int[count];
      for (int i = 0; i < count; i++) {
        free[i] = first + count - 1 - i;
      }
      this.freeCount = count;
    }

    boolean has(int chunk) {
      return chunk >= first && chunk < first + free.length;
    }
  }

  /** The chunks of an object, and when it got them: the number of the sealing. */
  private record Sealed(String path, BitSet chunks, long sealing) {}

  /**
   * A sealed object.
   *
   * @param sealing number of its last sealing
   */
  record SealedObject(Named name, long sealing) {}

  /**
   * All chunks are free.
   *
   * @param generations registered, eight bytes for each chunk
   */
  ChunkStore(List<TierOptions> options, int chunkBytes, ByteBuffer generations) {
    this.chunkBytes = chunkBytes;
    this.generations = generations;
    int first = 0;
    for (TierOptions tier : options) {
      int chunks = PoolMemory.chunks(tier, chunkBytes);
      tiers.add(new Tier(tier.kind(), first, chunks));
      first += chunks;
    }
  }

  /**
   * Takes a chunk of the first tier that has one.
   *
   * @param session who writes it, until it is released or sealed
   * @throws RefusedException when no tier has one
   */
  synchronized Reply.Allocated allocate(Object session) throws RefusedException {
    for (Tier tier : tiers) {
      if (tier.freeCount > 0) {
        int chunk = tier.free[--tier.freeCount];
        open.computeIfAbsent(session, ignored -> new BitSet()).set(chunk);
        return new Reply.Allocated(chunk, generation(chunk), tier.kind, freeChunks());
      }
    }
    throw new RefusedException(Refusal.FULL, "all its chunks are taken");
  }

  /**
   * Takes back chunks that a session does not write any longer.
   *
   * @throws RefusedException when one is not the session's; none is taken back then
   */
  synchronized void release(Object session, List<Chunk> chunks) throws RefusedException {
    BitSet own = open.getOrDefault(session, new BitSet());
    for (Chunk chunk : chunks) {
      if (chunk.number() < 0 || !own.get(chunk.number())) {
        throw new RefusedException(
            Refusal.FAILED, "chunk " + chunk.number() + " is not this client's");
      }
    }
    for (Chunk chunk : chunks) {
      // A chunk that is named twice has been taken back already.
      if (own.get(chunk.number())) {
        own.clear(chunk.number());
        free(chunk.number());
      }
    }
    forgetIfEmpty(session, own);
  }

  /** Takes back all chunks that a session writes. Its connection must have ended. */
  synchronized void releaseAll(Object session) {
    BitSet own = open.remove(session);
    if (own != null) {
      own.stream().forEach(this::free);
    }
  }

  /**
   * Hands chunks from the session that wrote them to an object. Does nothing when the object has
   * them already.
   *
   * @throws RefusedException when one is no longer the writer's; none is handed over then
   */
  synchronized void seal(Named object, List<Chunk> chunks) throws RefusedException {
    BitSet wanted = new BitSet();
    for (Chunk chunk : chunks) {
      if (tiers.stream().noneMatch(tier -> tier.has(chunk.number()))) {
        throw new RefusedException(Refusal.FAILED, "there is no chunk " + chunk.number());
      }
      wanted.set(chunk.number());
    }
    Sealed before = sealed.get(object.id());
    if (before == null) {
      Object session = writer(chunks);
      BitSet own = open.get(session);
      own.andNot(wanted);
      forgetIfEmpty(session, own);
      sealedChunks += wanted.cardinality();
    } else if (!before.chunks().equals(wanted)) {
      throw new RefusedException(Refusal.FAILED, "the object has other chunks already");
    }
    sealed.put(object.id(), new Sealed(object.path(), wanted, ++sealings));
  }

  private Object writer(List<Chunk> chunks) throws RefusedException {
    for (Map.Entry<Object, BitSet> session : open.entrySet()) {
      if (chunks.stream().allMatch(chunk -> isOpen(session.getValue(), chunk))) {
        return session.getKey();
      }
    }
    throw new RefusedException(
        Refusal.FAILED, "a chunk was freed, since the lease of its writer is over");
  }

  private boolean isOpen(BitSet own, Chunk chunk) {
    return own.get(chunk.number()) && generation(chunk.number()) == chunk.generation();
  }

  /** Frees the chunks of an object; does nothing when it has none. */
  synchronized void free(ObjectId id) {
    Sealed object = sealed.remove(id);
    if (object != null) {
      sealedChunks -= object.chunks().cardinality();
      object.chunks().stream().forEach(this::free);
    }
  }

  /** Frees the chunks of an object unless it was sealed again after the given sealing. */
  synchronized void freeUnlessSealedAgain(SealedObject object) {
    Sealed now = sealed.get(object.name().id());
    if (now != null && now.sealing() == object.sealing()) {
      free(object.name().id());
    }
  }

  /** All objects that have chunks. */
  synchronized List<SealedObject> sealedObjects() {
    List<SealedObject> objects = new ArrayList<>(sealed.size());
    sealed.forEach(
        (id, object) ->
            objects.add(new SealedObject(new Named(id, object.path()), object.sealing())));
    return objects;
  }

  /** Chunks that nobody has. */
  synchronized long freeChunks() {
    return tiers.stream().mapToLong(tier -> tier.freeCount).sum();
  }

  /** How full the tiers are. */
  synchronized List<ServerStatus.Tier> tiers() {
    return tiers.stream()
        .map(
            tier ->
                new ServerStatus.Tier(
                    tier.kind,
                    (long) tier.free.length * chunkBytes,
                    (long) (tier.free.length - tier.freeCount) * chunkBytes))
        .toList();
  }

  /** Bytes of chunks that are being written. */
  synchronized long openBytes() {
    return open.values().stream().mapToLong(BitSet::cardinality).sum() * chunkBytes;
  }

  /** Bytes of chunks of objects. */
  synchronized long sealedBytes() {
    return (long) sealedChunks * chunkBytes;
  }

  private void free(int chunk) {
    // Before anybody else can write the chunk, so that its readers see one or the other.
    GENERATION.setVolatile(generations, chunk * Long.BYTES, generation(chunk) + 1);
    for (Tier tier : tiers) {
      if (tier.has(chunk)) {
        tier.free[tier.freeCount++] = chunk;
      }
    }
  }

  private long generation(int chunk) {
    return (long) GENERATION.getVolatile(generations, chunk * Long.BYTES);
  }

  private void forgetIfEmpty(Object session, BitSet own) {
    if (own.isEmpty()) {
      open.remove(session);
    }
  }
}
