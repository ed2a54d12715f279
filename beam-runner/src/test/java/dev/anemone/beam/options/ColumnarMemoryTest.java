// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ColumnarMemoryTest {

  private static long inSlotMb(String... options) {
    return ColumnarMemory.inSlot(PipelineOptionsFactory.fromArgs(options).create()).bytes() >> 20;
  }

  @Test
  void slotsOfThisProcessDivideWhatIsSaid() {
    assertThat(inSlotMb("--slots=4")).isEqualTo(256);
    assertThat(inSlotMb("--slots=4", "--columnarMemoryMb=800")).isEqualTo(200);
    assertThat(inSlotMb("--slots=4", "--columnarMemoryMb=100"))
        .as("what an engine needs at least")
        .isEqualTo(64);
  }

  @Test
  void anExecutorHasRoomForOtherThings(@TempDir Path directory) throws Exception {
    assertThat(inSlotMb("--deployMode=yarn")).isEqualTo(1024 / 6);
    assertThat(inSlotMb("--deployMode=yarn", "--executorMemoryMb=640")).isEqualTo(640 / 6);
    assertThat(inSlotMb("--deployMode=yarn", "--columnarMemoryMb=300")).isEqualTo(300);
    Path executors =
        Files.writeString(
            directory.resolve("executors.json"),
            "[{\"type\": \"Reserved\", \"memory_mb\": 3000, \"capacity\": 1},"
                + " {\"type\": \"Transient\", \"memory_mb\": 1800, \"capacity\": 2}]");
    assertThat(inSlotMb("--deployMode=yarn", "--executorJson=" + executors)).isEqualTo(900 / 6);
  }
}
