package dev.anemone.runtime.tez;

import org.apache.hadoop.io.BytesWritable;
import org.apache.tez.runtime.library.api.Partitioner;

/**
 * Spreads records over the consumer tasks by the hash of their value. Taking turns would be more
 * even, but not repeatable: when a producer task runs again and reads its input in another order,
 * records would change places, and a consumer that had read the first attempt's output would miss
 * some and see others twice.
 */
public final class SpreadPartitioner implements Partitioner {

  @Override
  public int getPartition(Object key, Object value, int consumerTasks) {
    BytesWritable bytes = (BytesWritable) value;
    return KeyPartitioner.partition(bytes.getBytes(), 0, bytes.getLength(), consumerTasks);
  }
}
