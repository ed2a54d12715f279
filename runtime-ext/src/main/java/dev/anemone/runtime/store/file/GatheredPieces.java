// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Pieces of partitions in memory, as long as all of them are few bytes. Used by one thread. */
final class GatheredPieces {

  /** What is done with each piece. */
  @FunctionalInterface
  interface Visitor {
    /** Takes the bytes of a piece, or a part of them; the following part comes next. */
    void visit(int partition, ByteBuffer bytes) throws IOException;
  }

  private final WriteBuffers buffers;
  private final long maxBytes;
  private final List<ByteBuffer> filled = new ArrayList<>();
  private int[] partitions = new int[16];

  /** Where each piece ends among all bytes. */
  private long[] ends = new long[16];

  private int pieces;
  private long bytes;

  /**
   * No pieces.
   *
   * @param maxBytes bytes of all pieces
   */
  GatheredPieces(WriteBuffers buffers, long maxBytes) {
    this.buffers = buffers;
    this.maxBytes = maxBytes;
  }

  /** Takes a piece; false, and nothing is taken, when that would be too many bytes. */
  boolean add(int partition, ByteBuffer piece) {
    if (bytes + piece.remaining() > maxBytes) {
      return false;
    }
    bytes += piece.remaining();
    while (piece.hasRemaining()) {
      ByteBuffer last = filled.isEmpty() ? null : filled.get(filled.size() - 1);
      if (last == null || !last.hasRemaining()) {
        last = buffers.take();
        filled.add(last);
      }
      int length = Math.min(last.remaining(), piece.remaining());
      last.put(last.position(), piece, piece.position(), length);
      last.position(last.position() + length);
      piece.position(piece.position() + length);
    }
    if (pieces == partitions.length) {
      partitions = Arrays.copyOf(partitions, 2 * pieces);
      ends = Arrays.copyOf(ends, 2 * pieces);
    }
    partitions[pieces] = partition;
    ends[pieces++] = bytes;
    return true;
  }

  /** Goes over the pieces as they came. */
  void inOrder(Visitor visitor) throws IOException {
    for (int piece = 0; piece < pieces; piece++) {
      visit(piece, visitor);
    }
  }

  /** Goes over the pieces by partition, and over those of a partition as they came. */
  void byPartition(Visitor visitor) throws IOException {
    long[] sorted = new long[pieces];
    for (int piece = 0; piece < pieces; piece++) {
      sorted[piece] = (long) partitions[piece] << Integer.SIZE | piece;
    }
    Arrays.sort(sorted);
    for (long partitionAndPiece : sorted) {
      visit((int) partitionAndPiece, visitor);
    }
  }

  private void visit(int piece, Visitor visitor) throws IOException {
    long at = piece == 0 ? 0 : ends[piece - 1];
    while (at < ends[piece]) {
      ByteBuffer buffer = filled.get((int) (at / WriteBuffers.BUFFER_BYTES));
      int offset = (int) (at % WriteBuffers.BUFFER_BYTES);
      int length = (int) Math.min(WriteBuffers.BUFFER_BYTES - offset, ends[piece] - at);
      visitor.visit(partitions[piece], buffer.slice(offset, length));
      at += length;
    }
  }

  /** Gives its memory back; may be called again. */
  void release() {
    filled.forEach(buffers::giveBack);
    filled.clear();
  }
}
