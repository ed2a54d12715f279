// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.memory;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Where a page lies in the memory of its pool.
 *
 * @param slab number of the piece of memory that it is cut from, from 0
 * @param memory all of that piece; its position and limit mean nothing
 * @param offset of the page in it, bytes
 */
public record PagePlace(int slab, ByteBuffer memory, int offset) {

  public PagePlace {
    Objects.requireNonNull(memory, "memory");
  }
}
