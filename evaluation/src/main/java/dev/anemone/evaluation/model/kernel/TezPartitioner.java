// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import org.apache.hadoop.io.BytesWritable;
import org.apache.tez.runtime.library.api.Partitioner;

/** {@link KernelRecords#partition} for Tez, which makes it by its name. */
public final class TezPartitioner implements Partitioner {
  @Override
  public int getPartition(Object key, Object value, int partitions) {
    return KernelRecords.partition(((BytesWritable) key).getBytes(), partitions);
  }
}
