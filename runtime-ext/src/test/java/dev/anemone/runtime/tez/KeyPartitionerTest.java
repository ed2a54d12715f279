package dev.anemone.runtime.tez;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.property.HashRange;
import dev.anemone.ir.property.PartitionSet;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.junit.jupiter.api.Test;

class KeyPartitionerTest {

  private static KeyPartitioner partitioner(PartitionSet partitions) {
    Configuration configuration = new Configuration(false);
    for (Map.Entry<String, String> entry : KeyPartitioner.configuration(partitions).entrySet()) {
      configuration.set(entry.getKey(), entry.getValue());
    }
    return new KeyPartitioner(configuration);
  }

  private static BytesWritable key(int tag, String key) {
    byte[] bytes = (" " + key).getBytes(StandardCharsets.UTF_8);
    bytes[0] = (byte) tag;
    return new BytesWritable(bytes);
  }

  @Test
  void theTagOfAChannelDoesNotMoveAKey() {
    KeyPartitioner partitioner = partitioner(PartitionSet.even(16, 4));
    for (int i = 0; i < 100; i++) {
      assertThat(partitioner.getPartition(key(1, "key" + i), null, 16))
          .isEqualTo(partitioner.getPartition(key(0, "key" + i), null, 16));
    }
  }

  @Test
  void keysSpreadEvenlyOverTasks() {
    KeyPartitioner partitioner = partitioner(PartitionSet.even(8, 1));
    int[] counts = new int[8];
    for (int i = 0; i < 8000; i++) {
      counts[partitioner.getPartition(key(0, "key" + i), null, 8)]++;
    }
    assertThat(Arrays.stream(counts).min().orElseThrow()).isGreaterThan(850);
  }

  @Test
  void rangesDecideWhichTaskOwnsAPartition() {
    PartitionSet all = new PartitionSet(List.of(List.of(), List.of(new HashRange(0, 4))));
    KeyPartitioner partitioner = partitioner(all);
    for (int i = 0; i < 20; i++) {
      assertThat(partitioner.getPartition(key(0, "key" + i), null, 2)).isEqualTo(1);
    }
  }
}
