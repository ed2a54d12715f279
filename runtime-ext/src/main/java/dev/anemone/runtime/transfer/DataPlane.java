package dev.anemone.runtime.transfer;

import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.store.BlockStore;
import java.net.InetAddress;
import java.util.Map;
import java.util.Objects;

/**
 * What the tasks of a job share in one JVM to move data. Thread-safe.
 *
 * @param pool off-heap pages
 * @param taskBytes bytes of pages that the links of a task may have
 * @param aggregationBytes bytes of pages that an aggregation task may have
 * @param stores where blocks lie; {@link DataStore#LOCAL_FILE} is always there
 * @param pushInterface the network interface on which aggregation tasks take what is pushed
 */
public record DataPlane(
    PagePool pool,
    long taskBytes,
    long aggregationBytes,
    Map<DataStore, BlockStore> stores,
    InetAddress pushInterface) {

  private static final long LEAST_AGGREGATION_BYTES = 8L * PagePool.PAGE_BYTES;

  public DataPlane {
    Objects.requireNonNull(pool, "pool");
    Objects.requireNonNull(pushInterface, "pushInterface");
    stores = Map.copyOf(stores);
    if (!stores.containsKey(DataStore.LOCAL_FILE)) {
      throw new IllegalArgumentException("local files are needed, but there are only " + stores);
    }
  }

  /**
   * Checks that tasks of a stage have the memory that they cannot do without.
   *
   * @throws IllegalArgumentException when they do not; says how much they need
   */
  public void requireEnoughMemory(StagePlan plan) {
    if (!plan.isAggregation()) {
      MemoryShares.of(plan, taskBytes);
    } else if (aggregationBytes < LEAST_AGGREGATION_BYTES) {
      throw new IllegalArgumentException(
          "an aggregation task of "
              + plan.stage().name()
              + " needs "
              + LEAST_AGGREGATION_BYTES
              + " bytes of off-heap memory, but may have "
              + aggregationBytes
              + "; give the job more off-heap memory, or use fewer aggregation tasks");
    }
  }

  BlockStore localFiles() {
    return store(DataStore.LOCAL_FILE);
  }

  BlockStore store(DataStore kind) {
    BlockStore store = stores.get(kind);
    if (store == null) {
      throw new IllegalArgumentException(
          "there is no store for " + kind + "; there are " + stores.keySet());
    }
    return store;
  }
}
