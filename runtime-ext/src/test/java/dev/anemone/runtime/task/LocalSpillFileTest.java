// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.runtime.spi.SpillFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalSpillFileTest {

  @TempDir Path directory;

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String read(SpillFile file, long position, int length) throws IOException {
    byte[] target = new byte[length];
    file.read(position, ByteBuffer.wrap(target));
    return new String(target, StandardCharsets.US_ASCII);
  }

  @Test
  void readsWhatWasAppendedAnywhere() throws Exception {
    try (SpillFile file = new LocalSpillFile(directory)) {
      assertThat(file.append(bytes("abc"))).isZero();
      assertThat(file.append(bytes("defg"))).isEqualTo(3);
      assertThat(read(file, 2, 3)).isEqualTo("cde");

      file.clear();

      assertThat(file.append(bytes("xy"))).isZero();
      assertThat(read(file, 0, 2)).isEqualTo("xy");
      assertThatThrownBy(() -> read(file, 1, 2)).isInstanceOf(EOFException.class);
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void isNotOnDiskBeforeItIsNeeded() throws Exception {
    try (SpillFile file = new LocalSpillFile(directory)) {
      file.clear();
      assertThat(directory).isEmptyDirectory();
    }
  }
}
