// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TeraValidatorTest {
  private static final int RECORDS = 25_000;

  /** A file of the result has so many records; the last has what is left. */
  private static final int FILE_RECORDS = 12_000;

  @TempDir private Path directory;
  private TeraSummary input;
  private List<byte[]> result;

  @BeforeEach
  void sort() throws IOException {
    PipelineOptionsFactory.create();
    List<byte[]> records = Records.generated(RECORDS);
    Records.write(directory.resolve("input"), records);
    input = TeraValidator.summarize("--input", directory.resolve("input").toString());
    result = new ArrayList<>(Records.sorted(records));
  }

  @Test
  void aRightResultHasNoFault() throws IOException {
    assertThat(faults()).isEmpty();
    assertThat(input.records()).isEqualTo(RECORDS);
    assertThat(input.duplicateKeys()).isZero();
    assertThat(input.misplaced()).isPositive();
  }

  @Test
  void aSwappedPairIsFound() throws IOException {
    Collections.swap(result, 12_344, 12_345);

    assertThat(faults()).hasSize(1);
    assertThat(faults().get(0))
        .startsWith(file(1) + ": record 345, counted from 0,")
        .contains(TeraKey.at(result.get(12_344), 0).toString())
        .contains("1 records in all");
  }

  @Test
  void filesInTheWrongOrderAreFound() throws IOException {
    Collections.rotate(result, FILE_RECORDS);

    assertThat(faults()).hasSize(1);
    assertThat(faults().get(0)).startsWith(file(1) + ": record 0, counted from 0,");
  }

  @Test
  void aChangedByteIsFoundWhereverItIs() throws IOException {
    byte[] payload = result.get(777).clone();
    payload[99] ^= 1;
    result.set(777, payload);

    assertThat(faults()).hasSize(1);
    assertThat(faults().get(0)).startsWith("The checksum of the input is " + checksum());

    byte[] key = result.get(500).clone();
    key[0] ^= (byte) 0x80;
    result.set(500, key);

    assertThat(faults()).hasSize(2);
    assertThat(faults().get(0)).startsWith(file(0) + ": record 501,");
  }

  @Test
  void aLostRecordIsFound() throws IOException {
    result.remove(20_000);

    assertThat(faults()).hasSize(2);
    assertThat(faults().get(0)).contains("25000", "24999", "lost");
    assertThat(faults().get(1)).contains("checksum");
  }

  @Test
  void aDoubledRecordIsFound() throws IOException {
    result.add(20_000, result.get(20_000));

    assertThat(faults()).hasSize(2);
    assertThat(faults().get(0)).contains("25000", "25001", "doubled");
    assertThat(summary().duplicateKeys()).isEqualTo(1);
  }

  @Test
  void aRecordInThePlaceOfAnotherIsFound() throws IOException {
    result.set(20_000, result.get(20_001));

    assertThat(faults()).hasSize(1);
    assertThat(faults().get(0)).contains("checksum");
  }

  @Test
  void filesThatAreNotOfRecordsAreRefused() throws IOException {
    Path file = Files.write(directory.resolve("torn"), new byte[150]);
    assertThatThrownBy(() -> TeraValidator.summarize("--output", file.toString()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--output=" + file)
        .hasMessageContaining("150 bytes");

    Path empty = Files.createFile(directory.resolve("empty"));
    assertThatThrownBy(() -> TeraValidator.summarize("--output", empty.toString()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("empty");

    assertThatThrownBy(() -> TeraValidator.summarize("--output", directory.toString()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("part-");
  }

  private List<String> faults() throws IOException {
    return summary().faults(Optional.of(input));
  }

  private TeraSummary summary() throws IOException {
    for (int number = 0; number * FILE_RECORDS < result.size(); number++) {
      int from = number * FILE_RECORDS;
      int to = Math.min(result.size(), from + FILE_RECORDS);
      Records.write(file(number), result.subList(from, to));
    }
    return TeraValidator.summarize("--output", directory.resolve("sorted").toString());
  }

  private Path file(int number) {
    return directory.resolve("sorted/part-0000" + number);
  }

  private String checksum() {
    return Long.toHexString(input.checksum());
  }
}
