// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.disk.ReadThrottle.BlockDevice;
import dev.anemone.testing.Requirement;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockDeviceTest {

  @ParameterizedTest
  @CsvSource({
    "0xfe00, 254:0",
    "0x801, 8:1",
    "0x10301, 259:1",
    "0x100801, 8:257",
    "0x100000801, 8:1048577"
  })
  void readsNumbersAsTheKernelPacksThem(String packed, String number) {
    assertThat(BlockDevice.numberOf(Long.decode(packed))).isEqualTo(number);
  }

  @Test
  void aFileSystemInMemoryIsOnNoDisk() {
    Path memory = Path.of("/dev/shm");
    Requirement.LINUX.check(Files.isDirectory(memory), "there is no file system in memory here");

    assertThatThrownBy(() -> BlockDevice.of(memory))
        .isInstanceOf(ExperimentFailure.class)
        .hasMessageContaining("/dev/shm")
        .hasMessageContaining("Name a directory on a disk");
  }
}
