// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.Test;

class RangeSorterTest {

  /** Few different bytes, so that records are equal in many of their beginnings. */
  @Property(tries = 100)
  void sortsByAllBytes(
      @ForAll Random random,
      @ForAll @IntRange(max = 400) int count,
      @ForAll @IntRange(min = 1, max = 100) int equalBytes)
      throws IOException {
    byte[] bytes = {0, 1, 127, -128, -1};
    List<byte[]> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] record = new byte[TeraRecord.BYTES];
      for (int position = equalBytes; position < record.length; position++) {
        record[position] = bytes[random.nextInt(bytes.length)];
      }
      records.add(record);
    }

    assertThat(sort(new RangeSorter(400), records))
        .isEqualTo(Records.joined(Records.sorted(records)));
  }

  @Test
  void sortsMoreThanABlockAndCanBeUsedAgain() throws IOException {
    RangeSorter sorter = new RangeSorter(30_000);
    for (int count : new int[] {25_000, 10_000, 10_001, 30_000, 1}) {
      List<byte[]> records = Records.generated(count);
      assertThat(sort(sorter, records)).isEqualTo(Records.joined(Records.sorted(records)));
    }
  }

  @Test
  void equalRecordsStay() throws IOException {
    List<byte[]> records = Collections.nCopies(50_000, Records.generated(1).get(0));

    assertThat(sort(new RangeSorter(50_000), records)).isEqualTo(Records.joined(records));
  }

  @Test
  void itTakesNoMoreThanItsMaximum() {
    RangeSorter sorter = new RangeSorter(3);
    List<byte[]> records = Records.generated(4);

    assertThat(records.stream().map(sorter::add)).containsExactly(true, true, true, false);
    assertThat(sorter.records()).isEqualTo(3);
  }

  private static byte[] sort(RangeSorter sorter, List<byte[]> records) throws IOException {
    PipelineOptionsFactory.create();
    sorter.clear();
    records.forEach(sorter::add);
    Path file = Files.createTempFile("sorted", "");
    try {
      try (RecordWriter writer =
          new RecordWriter(FileSystems.matchNewResource(file.toString(), false))) {
        sorter.write(writer);
      }
      return Files.readAllBytes(file);
    } finally {
      Files.delete(file);
    }
  }
}
