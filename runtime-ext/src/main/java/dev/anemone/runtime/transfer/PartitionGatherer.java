// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.push.PushedBatches;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.transfer.announcement.ProducerClasses;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Turns many small pieces, which come producer by producer, into few large writes, partition by
 * partition. This is where disk read batching happens: what many producers have for one partition
 * is written side by side, as in Riffle's merged shuffle files and Sailfish's I-files. In a large
 * partition that may be divided among consumer tasks it is written class by class ({@link
 * ProducerClasses}). Used by one thread.
 */
final class PartitionGatherer implements Closeable {

  private static final int NOT_LARGE = -1;

  private final BlockWriter block;
  private final TaskMemory memory;
  private final ByteBuffer page;
  private final List<List<Piece>> pieces;
  private final LargePartitions large;
  private final long[] partitionBytes;

  /** The place of each partition among the large ones, or {@link #NOT_LARGE}. */
  private final int[] places;

  private final List<Integer> found = new ArrayList<>();
  private final List<PushedBatches> held = new ArrayList<>();
  private long heldBytes;

  /**
   * Whole chunks of a partition, in pages that are still the receiver's.
   *
   * @param bytes the chunks, or a part of them that others follow
   * @param rawBytes what they count before compression
   * @param producerClass of who wrote them
   */
  private record Piece(ByteBuffer bytes, long rawBytes, int producerClass) {}

  /**
   * In which partitions producers lie apart.
   *
   * @param most as many partitions at most, for each of which the block's index has {@link
   *     ProducerClasses#COUNT} entries
   * @param leastBytes stored in a partition with which it is large
   */
  record LargePartitions(int most, long leastBytes) {

    /** For partitions that nobody divides. */
    static final LargePartitions NONE = new LargePartitions(0, 0);

    /** How many partitions a block has in all. */
    int storedPartitions(int partitions) {
      return Math.addExact(partitions, most * ProducerClasses.COUNT);
    }
  }

  /**
   * A gatherer; takes a page.
   *
   * @param block has {@link LargePartitions#storedPartitions}
   * @param partitions without those
   */
  PartitionGatherer(BlockWriter block, int partitions, LargePartitions large, TaskMemory memory)
      throws InterruptedException {
    this.block = block;
    this.memory = memory;
    this.large = large;
    this.partitionBytes = new long[partitions];
    this.places = new int[partitions];
    Arrays.fill(places, NOT_LARGE);
    this.page = memory.take("a page to gather partitions in");
    this.pieces = new ArrayList<>(partitions);
    for (int partition = 0; partition < partitions; partition++) {
      pieces.add(new ArrayList<>());
    }
  }

  /** Takes over a producer's batches; they are written with the next {@link #flush} and freed. */
  void add(Producer producer, PushedBatches batches) throws IOException {
    held.add(batches);
    heldBytes += batches.bytes();
    int producerClass = ProducerClasses.of(producer.task());
    batches.forEach(
        (partition, bytes, rawBytes) -> {
          pieces.get(partition).add(new Piece(bytes.slice(), rawBytes, producerClass));
          partitionBytes[partition] += bytes.remaining();
        });
  }

  /** Bytes that wait to be written. */
  long heldBytes() {
    return heldBytes;
  }

  /** Writes all pieces, partition by partition, and frees their memory. */
  void flush() throws IOException {
    findLarge();
    for (int partition = 0; partition < pieces.size(); partition++) {
      List<Piece> ofPartition = pieces.get(partition);
      if (!ofPartition.isEmpty()) {
        if (isLarge(partition)) {
          writeByClass(partition, ofPartition);
        } else {
          write(partition, ofPartition);
        }
        ofPartition.clear();
      }
    }
    held.forEach(PushedBatches::close);
    held.clear();
    heldBytes = 0;
  }

  /** Where more partitions have become large than producers may lie apart in, takes the largest. */
  private void findLarge() {
    if (found.size() == large.most()) {
      return;
    }
    IntStream.range(0, places.length)
        .filter(partition -> !isLarge(partition) && partitionBytes[partition] >= large.leastBytes())
        .boxed()
        .sorted(Comparator.comparing(partition -> -partitionBytes[partition]))
        .limit(large.most() - found.size())
        .forEach(
            partition -> {
              places[partition] = found.size();
              found.add(partition);
            });
  }

  private boolean isLarge(int partition) {
    return places[partition] != NOT_LARGE;
  }

  private void writeByClass(int partition, List<Piece> ofPartition) throws IOException {
    ofPartition.sort(Comparator.comparingInt(Piece::producerClass));
    for (int from = 0; from < ofPartition.size(); ) {
      int producerClass = ofPartition.get(from).producerClass();
      int to = from + 1;
      while (to < ofPartition.size() && ofPartition.get(to).producerClass() == producerClass) {
        to++;
      }
      write(stored(partition, producerClass), ofPartition.subList(from, to));
      from = to;
    }
  }

  private int stored(int partition, int producerClass) {
    return pieces.size() + places[partition] * ProducerClasses.COUNT + producerClass;
  }

  /** In which partitions producers lie apart, of what has been written. */
  ProducerClasses classes() {
    return found.isEmpty() ? ProducerClasses.NONE : new ProducerClasses(pieces.size(), found);
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

  /**
   * Writes chunks of a producer at once, as they come in large pieces. Which partitions are large
   * is decided with the next {@link #flush}.
   *
   * @param rawBytes what they count before compression
   */
  void append(Producer producer, int partition, ByteBuffer chunks, long rawBytes)
      throws IOException {
    partitionBytes[partition] += chunks.remaining();
    int target =
        isLarge(partition) ? stored(partition, ProducerClasses.of(producer.task())) : partition;
    block.append(target, chunks, rawBytes);
  }

  @Override
  public void close() {
    held.forEach(PushedBatches::close);
    held.clear();
    memory.giveBack(page);
  }
}
