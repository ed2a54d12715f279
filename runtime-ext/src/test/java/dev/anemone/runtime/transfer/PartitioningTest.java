// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.record.ByteSink;
import dev.anemone.runtime.stage.Transfer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PartitioningTest {

  private static ByteSink bytes(int tag, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    ByteSink sink = new ByteSink();
    sink.write(tag);
    sink.write(utf8, 0, utf8.length);
    return sink;
  }

  @Test
  void equalKeysOfDifferentChannelsMeet() {
    Partitioning partitioning = Partitioning.of(Transfer.GROUPED, 1000);
    for (int key = 0; key < 1000; key++) {
      assertThat(partitioning.partition(bytes(0, "key" + key), bytes(0, "a")))
          .isEqualTo(partitioning.partition(bytes(7, "key" + key), bytes(0, "b")));
    }
  }

  @Test
  void theDecisionNeverChanges() {
    // Another JVM, another version: a key that moved would be in two groups.
    Partitioning partitioning = Partitioning.of(Transfer.GROUPED, 1_000_000);
    assertThat(partitioning.partition(bytes(0, "anemone"), bytes(0, ""))).isEqualTo(734_848);
    assertThat(partitioning.partition(bytes(0, ""), bytes(0, ""))).isEqualTo(908_597);
  }

  @Test
  void keysSpreadEvenly() {
    for (Transfer transfer : new Transfer[] {Transfer.GROUPED, Transfer.SPREAD}) {
      int[] counts = new int[64];
      Partitioning partitioning = Partitioning.of(transfer, counts.length);
      for (int key = 0; key < 64_000; key++) {
        counts[partitioning.partition(bytes(0, "key" + key), bytes(0, "value" + key))]++;
      }
      assertThat(Arrays.stream(counts).min().orElseThrow()).isGreaterThan(850);
      assertThat(Arrays.stream(counts).max().orElseThrow()).isLessThan(1150);
    }
  }
}
