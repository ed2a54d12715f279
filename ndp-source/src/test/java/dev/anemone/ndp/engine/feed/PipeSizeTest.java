// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class PipeSizeTest {

  @TempDir private Path directory;

  /** A pipe of the usual size would let the writer wait for ever. */
  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void aWidePipeTakesMuchThatNobodyHasRead() throws Exception {
    Path pipe = directory.resolve("pipe");
    assertThat(NamedPipe.make(pipe)).isTrue();
    try (FileChannel both =
        FileChannel.open(pipe, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      assertThat(PipeSize.widen(pipe)).hasValue(PipeSize.WANTED_BYTES);

      assertThat(both.write(ByteBuffer.allocate(PipeSize.WANTED_BYTES)))
          .isEqualTo(PipeSize.WANTED_BYTES);
      assertThat(both.read(ByteBuffer.allocate(1))).isEqualTo(1);
    }
  }

  @Test
  void whatIsNoPipeStaysAsItIs() {
    assertThat(PipeSize.widen(directory.resolve("nothing"))).isEmpty();
  }
}
