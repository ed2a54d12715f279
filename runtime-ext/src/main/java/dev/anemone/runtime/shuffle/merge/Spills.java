// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.merge;

import dev.anemone.runtime.resource.CloseAll;
import dev.anemone.runtime.shuffle.format.ChunkSink;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/** The blocks that one writer spilled, in their order. Used by one thread. */
public final class Spills implements Closeable {

  private final BlockStore store;
  private final BlockId owner;
  private final int partitions;
  private final LongConsumer counter;
  private final ReadStatistics reads;
  private final List<Spill> spills = new ArrayList<>();
  private int made;

  /**
   * A spilled block.
   *
   * @param records number of records in it
   * @param storedBytes its bytes
   */
  public record Spill(BlockId id, long records, long storedBytes) {}

  /** What goes into a spill. */
  @FunctionalInterface
  public interface Content {

    /** Writes it, by ascending partition, and gives the number of records. */
    long writeTo(ChunkSink sink) throws IOException, InterruptedException;
  }

  /**
   * No spills.
   *
   * @param owner the block in whose name the spills are named
   */
  public Spills(BlockStore store, BlockId owner, int partitions, WriteStatistics statistics) {
    this(store, owner, partitions, statistics::countSpill, statistics.spillReads());
  }

  /**
   * No spills.
   *
   * @param owner the block in whose name the spills are named
   * @param counter is told the bytes of every spill
   * @param reads counts the reads of spills
   */
  public Spills(
      BlockStore store, BlockId owner, int partitions, LongConsumer counter, ReadStatistics reads) {
    this.store = store;
    this.owner = owner;
    this.partitions = partitions;
    this.counter = counter;
    this.reads = reads;
  }

  /** Makes a spill; when that fails, nothing is left of it. */
  public Spill spill(Content content) throws IOException, InterruptedException {
    BlockId id = new BlockId(owner.path() + "/spill" + made++);
    try (BlockWriter block = store.create(id, partitions, WriteOrder.BY_PARTITION)) {
      long records = content.writeTo(block::append);
      long bytes = block.commit().storedBytes();
      Spill spill = new Spill(id, records, bytes);
      spills.add(spill);
      counter.accept(bytes);
      return spill;
    }
  }

  public List<Spill> all() {
    return List.copyOf(spills);
  }

  /** Opens a spill for the caller, who closes it. */
  public BlockReader open(Spill spill) throws IOException {
    return store.open(spill.id(), reads);
  }

  /** Deletes a spill that is not needed any more. */
  public void delete(Spill spill) throws IOException {
    store.delete(spill.id());
    spills.remove(spill);
  }

  /** Deletes all that are left, even when one of them cannot be. */
  @Override
  public void close() throws IOException {
    List<Closeable> deletions = new ArrayList<>();
    for (Spill spill : spills) {
      deletions.add(() -> store.delete(spill.id()));
    }
    spills.clear();
    CloseAll.of(deletions);
  }
}
