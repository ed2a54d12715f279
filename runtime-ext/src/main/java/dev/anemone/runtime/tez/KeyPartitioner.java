package dev.anemone.runtime.tez;

import dev.anemone.ir.property.HashRange;
import dev.anemone.ir.property.PartitionSet;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.util.hash.MurmurHash;
import org.apache.tez.runtime.library.api.Partitioner;

/**
 * Sends a record of a grouped link to the consumer task that owns the hash of its key. The hash is
 * of the key's bytes without the channel's tag, so equal keys of different channels and producers
 * meet in one task, whatever JVM computed it.
 */
public final class KeyPartitioner implements Partitioner {

  private static final String OWNERS = "anemone.partition.owners";
  private static final MurmurHash HASH = new MurmurHash();
  private static final int SEED = 0x5bd1e995;

  private final int[] owners;

  /** Called by Tez. */
  public KeyPartitioner(Configuration configuration) {
    this.owners = Arrays.stream(configuration.getInts(OWNERS)).toArray();
  }

  /** What Tez hands to the partitioner of a link whose consumers read {@code partitions}. */
  static Map<String, String> configuration(PartitionSet partitions) {
    int[] owners = new int[partitions.partitions()];
    List<List<HashRange>> perTask = partitions.perTask();
    for (int task = 0; task < perTask.size(); task++) {
      for (HashRange range : perTask.get(task)) {
        Arrays.fill(owners, range.from(), range.to(), task);
      }
    }
    Map<String, String> configuration = new HashMap<>();
    configuration.put(
        OWNERS, Arrays.stream(owners).mapToObj(Integer::toString).collect(Collectors.joining(",")));
    return configuration;
  }

  @Override
  public int getPartition(Object key, Object value, int consumerTasks) {
    BytesWritable bytes = (BytesWritable) key;
    return owners[partition(bytes.getBytes(), 1, bytes.getLength() - 1, owners.length)];
  }

  /** The partition of a key among {@code partitions}. */
  static int partition(byte[] bytes, int offset, int length, int partitions) {
    int hash = HASH.hash(bytes, offset, length, SEED);
    return Math.floorMod(hash, partitions);
  }
}
