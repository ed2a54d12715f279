// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.evaluation.model.kernel.KernelBenchmark.KernelName;
import dev.anemone.evaluation.model.kernel.KernelRecords.KernelCheck;
import dev.anemone.evaluation.model.kernel.ShuffleKernel.KernelShape;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShuffleKernelTest {
  private static final long MEMORY_BYTES = 16 << 20;

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({"ANEMONE, false", "ANEMONE, true", "TEZ, false", "TEZ, true"})
  void givesEveryRecordBackInOrderAlsoWhenItSpills(KernelName kernel, boolean compressed)
      throws Exception {
    long records = 2 * MEMORY_BYTES / KernelRecords.RECORD_BYTES;
    KernelShape shape = new KernelShape(records, 5, MEMORY_BYTES, compressed, directory);

    KernelCheck read = kernel.create(MEMORY_BYTES).shuffle(shape);

    assertThatCode(() -> read.requireEqual(KernelCheck.expected(records)))
        .doesNotThrowAnyException();
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aKernelThatLosesARecordIsFound() {
    assertThatThrownBy(() -> KernelCheck.expected(99).requireEqual(KernelCheck.expected(100)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("99 records")
        .hasMessageContaining("100 with checksum");
  }

  @Test
  void aKernelThatDoesNotSortIsFound() {
    KernelRecords records = new KernelRecords();
    KernelCheck check = new KernelCheck();
    check.startPartition();

    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 100; i++) {
                records.next();
                check.inOrder(
                    records.key(),
                    0,
                    KernelRecords.KEY_BYTES,
                    records.value(),
                    0,
                    KernelRecords.VALUE_BYTES);
              }
            })
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("not in the order of the keys");
  }

  @Test
  void partitionsAreRangesOfKeys() {
    KernelRecords records = new KernelRecords();
    int[] sizes = new int[7];
    for (int i = 0; i < 7_000; i++) {
      records.next();
      sizes[KernelRecords.partition(records.key(), sizes.length)]++;
    }

    assertThat(sizes).as("as even as random numbers are").satisfies(ShuffleKernelTest::areEven);
    assertThat(KernelRecords.partition(new byte[KernelRecords.KEY_BYTES], 7)).isZero();
    assertThat(KernelRecords.partition(new byte[] {-1, -1, -1, -1}, 7)).isEqualTo(6);
  }

  private static void areEven(int[] sizes) {
    for (int size : sizes) {
      assertThat(size).isBetween(850, 1_150);
    }
  }
}
