// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.memory;

import java.nio.ByteBuffer;

/**
 * Where the memory of a {@link PagePool} comes from: the JVM's direct memory, or that of a network,
 * which reaches its own memory in the fastest way. Thread-safe.
 */
@FunctionalInterface
public interface SlabSource {

  /** Where slabs begin is a multiple of it. */
  int ALIGNMENT = 4096;

  /**
   * Direct memory. Aligned, since some processors copy slowly between addresses that differ by a
   * little within a page of theirs, and what is copied from elsewhere mostly begins at one.
   */
  SlabSource DIRECT =
      (slab, bytes) ->
          ByteBuffer.allocateDirect(bytes + ALIGNMENT - 1).alignedSlice(ALIGNMENT).slice(0, bytes);

  /**
   * Memory for a slab. It is the pool's for good, whatever becomes of the source.
   *
   * @param slab its number in the pool
   * @return a direct buffer of that capacity, big-endian, which begins at a multiple of {@link
   *     #ALIGNMENT}
   */
  ByteBuffer allocate(int slab, int bytes);
}
