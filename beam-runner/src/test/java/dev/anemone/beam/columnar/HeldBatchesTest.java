// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeldBatchesTest {

  private static final int BATCHES = 50;

  @TempDir private Path directory;

  private static byte[] rows(int number) {
    byte[] rows = new byte[number * 10];
    Arrays.fill(rows, (byte) number);
    return rows;
  }

  private long files() throws IOException {
    try (Stream<Path> found = Files.list(directory)) {
      return found.count();
    }
  }

  @Test
  void whatDoesNotFitIsOnDiskUntilTheEnd() throws IOException {
    try (HeldBatches held = new HeldBatches(Set.of("x0", "x1", "x2"), directory, 3_000)) {
      for (int i = 0; i < BATCHES; i++) {
        held.add(new ExchangedBatch(i % 2 == 0 ? "x0" : "x1", rows(i)));
      }
      assertThat(files()).isPositive();
      for (int time = 0; time < 2; time++) {
        List<byte[]> even = new ArrayList<>();
        List<byte[]> odd = new ArrayList<>();
        held.of("x0").forEachRemaining(even::add);
        held.of("x1").forEachRemaining(odd::add);
        assertThat(even).hasSize(BATCHES / 2);
        for (int i = 0; i < BATCHES; i++) {
          assertThat((i % 2 == 0 ? even : odd).get(i / 2)).isEqualTo(rows(i));
        }
      }
      assertThat(held.of("x2")).isExhausted();
    }
    assertThat(files()).isZero();
  }

  @Test
  void whatFitsNeedsNoFile() throws IOException {
    try (HeldBatches held = new HeldBatches(Set.of("x0"), directory, 3_000)) {
      held.add(new ExchangedBatch("x0", rows(7)));
      assertThat(held.of("x0")).toIterable().containsExactly(rows(7));
      assertThat(files()).isZero();
    }
  }
}
