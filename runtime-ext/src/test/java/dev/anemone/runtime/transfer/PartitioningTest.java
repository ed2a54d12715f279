// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IREdge;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Partitioner;
import dev.anemone.runtime.record.ByteSink;
import dev.anemone.runtime.stage.Channel;
import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.stage.Transfer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PartitioningTest {

  private static ByteSink bytes(int tag, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    ByteSink sink = new ByteSink();
    sink.write(tag);
    sink.write(utf8, 0, utf8.length);
    return sink;
  }

  /** A link of channels that are partitioned so, each by its number as the tag. */
  private static Link link(Transfer transfer, int partitions, Partitioner... channels) {
    List<Channel> tagged = new ArrayList<>();
    for (Partitioner partitioner : channels) {
      tagged.add(
          new Channel(
              tagged.size(),
              IREdge.of(
                      "e" + tagged.size(),
                      "a",
                      "b",
                      CommunicationPattern.SHUFFLE,
                      FunctionSpec.of("test:coder"))
                  .with(partitioner)));
    }
    return new Link(
        "peer", transfer, tagged, partitions, List.of(), false, List.of(), false, Optional.empty());
  }

  @Test
  void equalRecordsGoToAllPartitionsInTurnWhereTheyComeInTheSameOrderAgain() {
    Partitioning partitioning =
        Partitioning.of(
            link(Transfer.SPREAD, 3, new Partitioner.RoundRobin(), new Partitioner.Spread()), 4);
    int byContent = partitioning.partition(bytes(1, ""), bytes(0, "go"));
    List<Integer> turns = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      turns.add(partitioning.partition(bytes(0, ""), bytes(0, "go")));
      // What another channel brings in between, perhaps not so often next time, changes nothing.
      assertThat(partitioning.partition(bytes(1, ""), bytes(0, "go"))).isEqualTo(byContent);
    }

    // The fifth task begins with the second partition.
    assertThat(turns).containsExactly(1, 2, 0, 1, 2, 0);
  }

  @Test
  void equalKeysOfDifferentChannelsMeet() {
    Partitioning partitioning = Partitioning.of(link(Transfer.GROUPED, 1000), 0);
    for (int key = 0; key < 1000; key++) {
      assertThat(partitioning.partition(bytes(0, "key" + key), bytes(0, "a")))
          .isEqualTo(partitioning.partition(bytes(7, "key" + key), bytes(0, "b")));
    }
  }

  @Test
  void theDecisionNeverChanges() {
    // Another JVM, another version: a key that moved would be in two groups.
    Partitioning partitioning = Partitioning.of(link(Transfer.GROUPED, 1_000_000), 0);
    assertThat(partitioning.partition(bytes(0, "anemone"), bytes(0, ""))).isEqualTo(734_848);
    assertThat(partitioning.partition(bytes(0, ""), bytes(0, ""))).isEqualTo(908_597);
  }

  @Test
  void keysSpreadEvenly() {
    for (Transfer transfer : new Transfer[] {Transfer.GROUPED, Transfer.SPREAD}) {
      int[] counts = new int[64];
      Partitioning partitioning = Partitioning.of(link(transfer, counts.length), 0);
      for (int key = 0; key < 64_000; key++) {
        counts[partitioning.partition(bytes(0, "key" + key), bytes(0, "value" + key))]++;
      }
      assertThat(Arrays.stream(counts).min().orElseThrow()).isGreaterThan(850);
      assertThat(Arrays.stream(counts).max().orElseThrow()).isLessThan(1150);
    }
  }
}
