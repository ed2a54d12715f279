// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.push.PushedBatches;
import dev.anemone.runtime.shuffle.format.ChunkSink;
import dev.anemone.runtime.store.BlockWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Turns many small pieces, which come producer by producer, into few large writes, partition by
 * partition. This is where disk read batching happens: what many producers have for one partition
 * is written side by side, as in Riffle's merged shuffle files and Sailfish's I-files. Used by one
 * thread.
 */
final class PartitionGatherer implements ChunkSink, Closeable {

  private final BlockWriter block;
  private final TaskMemory memory;
  private final ByteBuffer page;
  private final List<List<Piece>> pieces;
  private final List<PushedBatches> held = new ArrayList<>();
  private long heldBytes;

  /**
   * Whole chunks of a partition, in pages that are still the receiver's.
   *
   * @param bytes the chunks, or a part of them that others follow
   * @param rawBytes what they count before compression
   */
  private record Piece(ByteBuffer bytes, long rawBytes) {}

  /** A gatherer that writes to a block; takes a page. */
  PartitionGatherer(BlockWriter block, int partitions, TaskMemory memory)
      throws InterruptedException {
    this.block = block;
    this.memory = memory;
    this.page = memory.take("a page to gather partitions in");
    this.pieces = new ArrayList<>(partitions);
    for (int partition = 0; partition < partitions; partition++) {
      pieces.add(new ArrayList<>());
    }
  }

  /** Takes batches over; they are written with the next {@link #flush} and freed then. */
  void add(Collection<PushedBatches> more) throws IOException {
    held.addAll(more);
    for (PushedBatches batches : more) {
      heldBytes += batches.bytes();
      batches.forEach(
          (partition, bytes, rawBytes) ->
              pieces.get(partition).add(new Piece(bytes.slice(), rawBytes)));
    }
  }

  /** Bytes that wait to be written. */
  long heldBytes() {
    return heldBytes;
  }

  /** Writes all pieces, partition by partition, and frees their memory. */
  void flush() throws IOException {
    for (int partition = 0; partition < pieces.size(); partition++) {
      List<Piece> ofPartition = pieces.get(partition);
      if (!ofPartition.isEmpty()) {
        write(partition, ofPartition);
        ofPartition.clear();
      }
    }
    held.forEach(PushedBatches::close);
    held.clear();
    heldBytes = 0;
  }

  private void write(int partition, List<Piece> ofPartition) throws IOException {
    page.clear();
    long raw = 0;
    for (Piece piece : ofPartition) {
      ByteBuffer bytes = piece.bytes();
      raw += piece.rawBytes();
      while (bytes.hasRemaining()) {
        int count = Math.min(bytes.remaining(), page.remaining());
        page.put(page.position(), bytes, bytes.position(), count);
        page.position(page.position() + count);
        bytes.position(bytes.position() + count);
        if (!page.hasRemaining()) {
          block.append(partition, page.flip(), raw);
          page.clear();
          raw = 0;
        }
      }
    }
    if (page.position() > 0) {
      block.append(partition, page.flip(), raw);
    }
  }

  /** Writes chunks at once, as they already come in large pieces. */
  @Override
  public void accept(int partition, ByteBuffer chunks, long rawBytes) throws IOException {
    block.append(partition, chunks, rawBytes);
  }

  @Override
  public void close() {
    held.forEach(PushedBatches::close);
    held.clear();
    memory.giveBack(page);
  }
}
