// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.pull;

import dev.anemone.runtime.store.BlockId;
import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.Optional;

/**
 * Partitions of a block that are wanted of a server.
 *
 * @param partitions at least one; must not be modified
 */
record Want(BlockId id, BitSet partitions) {

  /** The message; empty when it would be longer than one may be. */
  Optional<ByteBuffer> toMessage() {
    ByteBuffer message = ByteBuffer.allocateDirect(PullProtocol.MESSAGE_BYTES);
    byte[] path = id.path().getBytes(StandardCharsets.UTF_8);
    int first = partitions.nextSetBit(0);
    try {
      message
          .put(PullProtocol.WANT)
          .putInt(path.length)
          .put(path)
          .putInt(first)
          .put(partitions.get(first, partitions.length()).toByteArray());
    } catch (BufferOverflowException e) {
      return Optional.empty();
    }
    return Optional.of(message.flip());
  }

  /**
   * Reads a message, behind its first byte.
   *
   * @throws IllegalArgumentException when it is none
   */
  static Want of(ByteBuffer message) {
    try {
      int length = message.getInt();
      if (length < 1 || length > message.remaining()) {
        throw new IllegalArgumentException("a path of " + length + " bytes");
      }
      byte[] path = new byte[length];
      message.get(path);
      int first = message.getInt();
      BitSet following = BitSet.valueOf(message);
      if (first < 0 || !following.get(0) || first > Integer.MAX_VALUE - following.length()) {
        throw new IllegalArgumentException("partitions from " + first);
      }
      BitSet partitions = new BitSet(first + following.length());
      following.stream().forEach(partition -> partitions.set(first + partition));
      return new Want(new BlockId(new String(path, StandardCharsets.UTF_8)), partitions);
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("it ends too early", e);
    }
  }
}
