// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.clock.TaskClock;
import dev.anemone.runtime.record.ByteSink;
import dev.anemone.runtime.shuffle.format.Codec;
import dev.anemone.runtime.shuffle.merge.WriterSettings;
import dev.anemone.runtime.stage.Transfer;
import dev.anemone.runtime.store.BlockId;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionBytesTest {

  private static final BlockId ID = new BlockId("producer_0");
  private static final int PARTITIONS = 5;
  private static final int RECORDS = 40_000;
  private static final int WRITER_PAGES = 8;

  /** The last partition is never written to. */
  private static final Partitioning PARTITIONING =
      (key, value) -> key.array()[0] % (PARTITIONS - 1);

  @TempDir private Path directory;

  private TestLinks links() {
    List<List<HashRange>> oneTask = List.of(List.of(new HashRange(0, PARTITIONS)));
    return TestLinks.of(Transfer.GROUPED, PARTITIONS, oneTask, List.of(), directory);
  }

  private static WriterSettings settings(TestLinks links, boolean combines) {
    return new WriterSettings(
        PARTITIONS,
        true,
        Codec.LZ4,
        links.writing(0).producer(),
        combines ? tag -> (key, values, combined) -> combined.write(new byte[50]) : null);
  }

  private static PullWriter pulled(TestLinks links, boolean combines) throws Exception {
    return new PullWriter(
        PARTITIONING,
        settings(links, combines),
        links.memory(WRITER_PAGES),
        links.plane(),
        DataStore.LOCAL_FILE,
        links.plane().localFiles(),
        ID,
        new TaskClock());
  }

  /** Writes keys of one byte, from 0 to 99, and values of as many zeros. */
  private static long[] write(LinkWriter writer) throws Exception {
    long[] bytes = new long[PARTITIONS];
    ByteSink key = new ByteSink();
    ByteSink value = new ByteSink();
    for (int i = 0; i < RECORDS; i++) {
      int length = i % 100;
      key.reset();
      key.write(length);
      value.reset();
      value.write(new byte[length], 0, length);
      writer.write(key, value);
      bytes[length % (PARTITIONS - 1)] += 2 + 1 + length;
    }
    assertThatIllegalStateException().isThrownBy(writer::partitionBytes);
    assertThat(writer.finish().producer()).isNotNull();
    return bytes;
  }

  @Test
  void aBlockTellsTheBytesBeforeCompression() throws Exception {
    TestLinks links = links();
    try (PullWriter writer = pulled(links, false)) {
      assertThat(write(writer)).isEqualTo(writer.partitionBytes());
      assertThat(writer.counters().spilled().spills()).isPositive();
    }
  }

  @Test
  void combinedRecordsCountOnce() throws Exception {
    TestLinks links = links();
    try (PullWriter writer = pulled(links, true)) {
      assertThat(write(writer)).isNotEqualTo(writer.partitionBytes());
      long ofPartition = 25L * (2 + 1 + 50);
      assertThat(writer.partitionBytes())
          .containsExactly(ofPartition, ofPartition, ofPartition, ofPartition, 0);
    }
  }

  @Test
  void whatIsPushedOrShouldHaveBeenCountsToo() throws Exception {
    TestLinks links = links();
    try (PushWriter writer =
        new PushWriter(
            PARTITIONING,
            settings(links, false),
            links.memory(WRITER_PAGES),
            links.writing(0),
            links.link(),
            links.plane(),
            ID,
            new PushTargets(),
            new TaskClock())) {
      assertThat(write(writer)).isEqualTo(writer.partitionBytes());
      assertThat(writer.counters().pushed().fallenBackBytes()).isPositive();
    }
  }
}
