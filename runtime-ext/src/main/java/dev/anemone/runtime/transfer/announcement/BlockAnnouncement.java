// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.announcement;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.store.BlockId;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a task attempt tells the consumers of a link when it has succeeded: its commit. Everything
 * that it wrote lies either in its block, or in the batches that it pushed.
 *
 * @param producer the attempt
 * @param block its block, if it wrote one
 * @param store where the block lies
 * @param location the node on which it lies; empty where all tasks run in one JVM
 * @param partitions the partitions of the block that are not empty; must not be modified
 * @param singleRuns whether each partition of the block is one run
 * @param pushed what it pushed, at most once for each aggregation task
 * @param dropped attempts whose runs in the block count for nothing
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
    List<Pushed> pushed,
    List<Producer> dropped,
    long digest) {

  /**
   * Batches that an aggregation task has acknowledged.
   *
   * @param task index of the aggregation task
   * @param receiverId which of its receivers; another one does not have the batches
   * @param batches their numbers; must not be modified
   */
  public record Pushed(int task, String receiverId, BitSet batches) {

    public Pushed {
      Objects.requireNonNull(receiverId, "receiverId");
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
        List.of(),
        List.of(),
        digest);
  }

  /**
   * Those of these ranges of partitions of which the block has something, each from the first
   * partition that is not empty to the last: what was fetched of a block ends with the last one.
   */
  public List<HashRange> filled(List<HashRange> ranges) {
    List<HashRange> filled = new ArrayList<>(ranges.size());
    for (HashRange range : ranges) {
      int first = partitions.nextSetBit(range.from());
      if (first >= 0 && first < range.to()) {
        filled.add(new HashRange(first, partitions.previousSetBit(range.to() - 1) + 1));
      }
    }
    return filled;
  }

  /** The digests of what was announced, by consumer stage. */
  public static Map<String, Long> digests(Map<String, BlockAnnouncement> announcements) {
    return announcements.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().digest()));
  }

  /** What was pushed to one aggregation task. */
  public Optional<Pushed> pushedTo(int task) {
    return pushed.stream().filter(p -> p.task() == task).findFirst();
  }

  /** The announcement as bytes, for an event. */
  public ByteBuffer toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      write(producer, out);
      write(block.map(BlockId::path).orElse(""), out);
      write(store.name(), out);
      write(location.map(BlockLocation::host).orElse(""), out);
      write(location.map(BlockLocation::port).orElse(0), out);
      write(partitions, out);
      out.writeBoolean(singleRuns);
      write(pushed.size(), out);
      for (Pushed each : pushed) {
        write(each.task(), out);
        write(each.receiverId(), out);
        write(each.batches(), out);
      }
      write(dropped.size(), out);
      for (Producer each : dropped) {
        write(each, out);
      }
      out.writeLong(digest);
    } catch (IOException e) {
      throw new UncheckedIOException("an array of bytes takes everything", e);
    }
    return ByteBuffer.wrap(bytes.toByteArray());
  }

  private static void write(Producer producer, DataOutputStream out) throws IOException {
    write(producer.task(), out);
    write(producer.attempt(), out);
  }

  private static void write(String text, DataOutputStream out) throws IOException {
    write(text.getBytes(StandardCharsets.UTF_8), out);
  }

  private static void write(BitSet set, DataOutputStream out) throws IOException {
    write(set.toByteArray(), out);
  }

  private static void write(byte[] bytes, DataOutputStream out) throws IOException {
    write(bytes.length, out);
    out.write(bytes);
  }

  /** Seven bits in a byte, the lowest first, as most numbers are small. */
  private static void write(int number, DataOutputStream out) throws IOException {
    int left = number;
    for (; (left & ~0x7f) != 0; left >>>= 7) {
      out.writeByte(left | 0x80);
    }
    out.writeByte(left);
  }

  /**
   * The announcement that was written; the buffer's position does not change. Each task reads those
   * of all producers, so this goes over the bytes once and makes no streams.
   *
   * @throws IllegalArgumentException when the bytes are no announcement
   */
  public static BlockAnnouncement of(ByteBuffer buffer) {
    ByteBuffer in = buffer.slice();
    try {
      Producer producer = readProducer(in);
      String path = readString(in);
      DataStore store = DataStore.valueOf(readString(in));
      BlockLocation location = new BlockLocation(readString(in), readInt(in));
      BitSet partitions = BitSet.valueOf(readBytes(in));
      boolean singleRuns = in.get() != 0;
      List<Pushed> pushed = new ArrayList<>();
      for (int left = readInt(in); left > 0; left--) {
        pushed.add(new Pushed(readInt(in), readString(in), BitSet.valueOf(readBytes(in))));
      }
      List<Producer> dropped = new ArrayList<>();
      for (int left = readInt(in); left > 0; left--) {
        dropped.add(readProducer(in));
      }
      return new BlockAnnouncement(
          producer,
          path.isEmpty() ? Optional.empty() : Optional.of(new BlockId(path)),
          store,
          location.host().isEmpty() ? Optional.empty() : Optional.of(location),
          partitions,
          singleRuns,
          pushed,
          dropped,
          in.getLong());
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException(
          "these " + buffer.remaining() + " bytes are not the announcement of a block", e);
    }
  }

  private static Producer readProducer(ByteBuffer in) {
    return new Producer(readInt(in), readInt(in));
  }

  private static String readString(ByteBuffer in) {
    byte[] bytes = new byte[readLength(in)];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static ByteBuffer readBytes(ByteBuffer in) {
    int length = readLength(in);
    ByteBuffer bytes = in.slice(in.position(), length);
    in.position(in.position() + length);
    return bytes;
  }

  private static int readLength(ByteBuffer in) {
    int length = readInt(in);
    return Objects.checkFromIndexSize(0, length, in.remaining()) + length;
  }

  private static int readInt(ByteBuffer in) {
    int number = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += 7) {
      byte next = in.get();
      number |= (next & 0x7f) << shift;
      if (next >= 0) {
        return number;
      }
    }
    throw new IndexOutOfBoundsException("a number that has no end");
  }
}
