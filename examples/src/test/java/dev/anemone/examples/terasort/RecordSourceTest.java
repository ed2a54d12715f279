// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.beam.sdk.io.BoundedSource;
import org.apache.beam.sdk.io.FileBasedSource;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.testing.SourceTestUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordSourceTest {
  private final PipelineOptions options = PipelineOptionsFactory.create();

  @TempDir private Path directory;

  @Test
  void readsEveryFileOfAPattern() throws Exception {
    List<byte[]> records = Records.generated(2_345);
    Records.write(directory.resolve("part-00000"), records.subList(0, 1_200));
    Records.write(directory.resolve("part-00001"), List.of());
    Records.write(directory.resolve("part-00002"), records.subList(1_200, 2_345));

    assertThat(SourceTestUtils.readFromSource(new RecordSource(directory + "/part-*"), options))
        .usingElementComparator(Arrays::compare)
        .containsExactlyInAnyOrderElementsOf(records);
  }

  @ParameterizedTest
  @ValueSource(longs = {100_000, 100_001, 110_050, 123_456})
  void partsOfAnySizeHaveAllRecordsTogether(long partBytes) throws Exception {
    Path file = Records.write(directory.resolve("records"), Records.generated(2_345));
    RecordSource source = new RecordSource(file.toString());

    List<? extends FileBasedSource<byte[]>> parts = source.split(partBytes, options);

    assertThat(parts).hasSizeGreaterThan(1);
    SourceTestUtils.assertSourcesEqualReferenceSource(source, parts, options);
  }

  @Test
  void aFileCanBeCutAtEveryByte() throws Exception {
    List<byte[]> records = Records.generated(3);
    FileBasedSource<byte[]> source = single(records);

    for (int cut = 1; cut < 300; cut++) {
      List<byte[]> read = new ArrayList<>();
      read.addAll(SourceTestUtils.readFromSource(source.createSourceForSubrange(0, cut), options));
      assertThat(read).as("before byte %s", cut).hasSize((cut + 99) / 100);
      read.addAll(
          SourceTestUtils.readFromSource(source.createSourceForSubrange(cut, 300), options));
      assertThat(Records.joined(read)).as("cut at %s", cut).isEqualTo(Records.joined(records));
    }
  }

  @Test
  void aReaderGivesAwayWhatItHasNotReadAtAnyMoment() throws Exception {
    FileBasedSource<byte[]> source = single(Records.generated(3));

    for (int read = 0; read <= 3; read++) {
      for (double fraction : new double[] {0.01, 0.33, 0.34, 0.5, 0.67, 0.99}) {
        SourceTestUtils.assertSplitAtFractionBehavior(
            source, read, fraction, outcome(read, fraction), options);
      }
    }
  }

  /** A split succeeds if it is behind the start of the record that was read last. */
  private static SourceTestUtils.ExpectedSplitOutcome outcome(int read, double fraction) {
    boolean ahead = read > 0 && read <= 3 && Math.ceil(300 * fraction) > 100.0 * (read - 1);
    return ahead
        ? SourceTestUtils.ExpectedSplitOutcome.MUST_SUCCEED_AND_BE_CONSISTENT
        : SourceTestUtils.ExpectedSplitOutcome.MUST_BE_CONSISTENT_IF_SUCCEEDS;
  }

  @Test
  void splitsAtEveryFractionAreConsistentAlsoWithAConcurrentReader() throws Exception {
    SourceTestUtils.assertSplitAtFractionExhaustive(single(Records.generated(3)), options);
  }

  @Test
  void aRecordCostsItsArrayAndNothingElse() throws Exception {
    int count = 100_000;
    FileBasedSource<byte[]> source = single(Records.generated(count));
    ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    long thread = Thread.currentThread().getId();

    long read = 0;
    long before;
    try (BoundedSource.BoundedReader<byte[]> reader = source.createReader(options)) {
      assertThat(reader.start()).isTrue();
      before = threads.getThreadAllocatedBytes(thread);
      while (reader.advance()) {
        read += reader.getCurrent().length;
      }
    }
    long allocated = threads.getThreadAllocatedBytes(thread) - before;

    assertThat(read).isEqualTo((count - 1L) * TeraRecord.BYTES);
    // An array of 100 bytes takes 120; the rest is for what happens once per buffer.
    assertThat((double) allocated / count).isLessThan(121);
  }

  @Test
  void aFileThatEndsWithinARecordIsAnError() throws IOException {
    Path file = Files.write(directory.resolve("records"), new byte[250]);

    assertThatThrownBy(
            () -> SourceTestUtils.readFromSource(new RecordSource(file.toString()), options))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("ends within a record");
  }

  private FileBasedSource<byte[]> single(List<byte[]> records) throws Exception {
    Path file = Records.write(directory.resolve("records"), records);
    List<? extends BoundedSource<byte[]>> parts =
        new RecordSource(file.toString()).split(Long.MAX_VALUE, options);
    assertThat(parts).hasSize(1);
    return (RecordSource) parts.get(0);
  }
}
