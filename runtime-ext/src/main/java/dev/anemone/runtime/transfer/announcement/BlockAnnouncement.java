// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.announcement;

import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.store.BlockId;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a task attempt tells the consumers of a link when it has succeeded: its commit. Everything
 * that it wrote lies either in its block, or in the batches that it pushed; where the block is
 * complete, all of it lies there, and to a task to which it has pushed anything, it has pushed all.
 *
 * @param producer the attempt
 * @param block its block, if it wrote one
 * @param store where the block lies
 * @param location the node on which it lies; empty where all tasks run in one JVM
 * @param partitions the partitions of the block that are not empty; must not be modified
 * @param singleRuns whether each partition of the block is one run
 * @param complete whether the block has what was pushed, too
 * @param pushed what it pushed, at most once for each aggregation task
 * @param dropped attempts whose runs in the block count for nothing
 * @param classes in which of the partitions producers lie apart
 * @param digest of all that was written; attempts of a task that have the same have written the
 *     same
 */
public record BlockAnnouncement(
    Producer producer,
    Optional<BlockId> block,
    DataStore store,
    Optional<BlockLocation> location,
    BitSet partitions,
    boolean singleRuns,
    boolean complete,
    List<Pushed> pushed,
    List<Producer> dropped,
    ProducerClasses classes,
    long digest) {

  private static final int SINGLE_RUNS = 1;
  private static final int COMPLETE = 2;

  /**
   * Batches that an aggregation task has acknowledged.
   *
   * @param task index of the aggregation task
   * @param attempt which attempt of it; another one does not have the batches
   * @param batches their numbers; must not be modified
   */
  public record Pushed(int task, int attempt, BitSet batches) {

    public Pushed {
      Objects.requireNonNull(batches, "batches");
    }
  }

  public BlockAnnouncement {
    Objects.requireNonNull(producer, "producer");
    Objects.requireNonNull(block, "block");
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(location, "location");
    Objects.requireNonNull(partitions, "partitions");
    pushed = List.copyOf(pushed);
    dropped = List.copyOf(dropped);
    Objects.requireNonNull(classes, "classes");
  }

  /** An announcement of a block and nothing else. */
  public static BlockAnnouncement ofBlock(
      Producer producer,
      BlockId block,
      DataStore store,
      Optional<BlockLocation> location,
      BitSet partitions,
      boolean singleRuns,
      long digest) {
    return new BlockAnnouncement(
        producer,
        Optional.of(block),
        store,
        location,
        partitions,
        singleRuns,
        true,
        List.of(),
        List.of(),
        ProducerClasses.NONE,
        digest);
  }

  /** The digests of what was announced, by consumer stage. */
  public static Map<String, Long> digests(Map<String, BlockAnnouncement> announcements) {
    return announcements.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().digest()));
  }

  /**
   * What an attempt of an aggregation task has to have, or must get by the producer running again:
   * what was pushed to the task. Where the block is complete, another attempt than it was pushed to
   * needs none of it.
   */
  public Optional<Pushed> pushedTo(int task, int attempt) {
    return pushed.stream()
        .filter(p -> p.task() == task && (!complete || p.attempt() == attempt))
        .findFirst();
  }

  /**
   * Those of some partitions that an attempt of an aggregation task has to read from the block.
   *
   * @param wanted the task's partitions; does not change
   */
  public BitSet inBlockFor(int task, int attempt, BitSet wanted) {
    BitSet inBlock = new BitSet();
    if (!complete || pushedTo(task, attempt).isEmpty()) {
      inBlock.or(partitions);
      inBlock.and(wanted);
    }
    return inBlock;
  }

  /** The announcement as bytes, for an event. */
  public ByteBuffer toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      write(producer, out);
      CompactBytes.write(block.map(BlockId::path).orElse(""), out);
      CompactBytes.write(store.name(), out);
      CompactBytes.write(location.map(BlockLocation::host).orElse(""), out);
      CompactBytes.write(location.map(BlockLocation::port).orElse(0), out);
      CompactBytes.write(partitions, out);
      out.writeByte((singleRuns ? SINGLE_RUNS : 0) | (complete ? COMPLETE : 0));
      PushedBytes.write(pushed, out);
      CompactBytes.write(dropped.size(), out);
      for (Producer each : dropped) {
        write(each, out);
      }
      CompactBytes.write(classes.partitions().size(), out);
      CompactBytes.write(classes.first(), out);
      for (int partition : classes.partitions()) {
        CompactBytes.write(partition, out);
      }
      out.writeLong(digest);
    } catch (IOException e) {
      throw new UncheckedIOException("an array of bytes takes everything", e);
    }
    return ByteBuffer.wrap(bytes.toByteArray());
  }

  private static void write(Producer producer, DataOutputStream out) throws IOException {
    CompactBytes.write(producer.task(), out);
    CompactBytes.write(producer.attempt(), out);
  }

  /**
   * The announcement that was written; the buffer's position does not change. Each task reads those
   * of all producers.
   *
   * @throws IllegalArgumentException when the bytes are no announcement
   */
  public static BlockAnnouncement of(ByteBuffer buffer) {
    ByteBuffer in = buffer.slice();
    try {
      Producer producer = readProducer(in);
      String path = CompactBytes.readString(in);
      DataStore store = DataStore.valueOf(CompactBytes.readString(in));
      BlockLocation location =
          new BlockLocation(CompactBytes.readString(in), CompactBytes.readInt(in));
      BitSet partitions = CompactBytes.readBits(in);
      int flags = in.get();
      List<Pushed> pushed = PushedBytes.read(in);
      List<Producer> dropped = new ArrayList<>();
      for (int left = CompactBytes.readInt(in); left > 0; left--) {
        dropped.add(readProducer(in));
      }
      return new BlockAnnouncement(
          producer,
          path.isEmpty() ? Optional.empty() : Optional.of(new BlockId(path)),
          store,
          location.host().isEmpty() ? Optional.empty() : Optional.of(location),
          partitions,
          (flags & SINGLE_RUNS) != 0,
          (flags & COMPLETE) != 0,
          pushed,
          dropped,
          readClasses(in),
          in.getLong());
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException(
          "these " + buffer.remaining() + " bytes are not the announcement of a block", e);
    }
  }

  private static ProducerClasses readClasses(ByteBuffer in) {
    int count = CompactBytes.readInt(in);
    int first = CompactBytes.readInt(in);
    List<Integer> partitions = new ArrayList<>();
    for (int left = count; left > 0; left--) {
      partitions.add(CompactBytes.readInt(in));
    }
    return count == 0 ? ProducerClasses.NONE : new ProducerClasses(first, partitions);
  }

  private static Producer readProducer(ByteBuffer in) {
    return new Producer(CompactBytes.readInt(in), CompactBytes.readInt(in));
  }
}
