// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.inflate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdCompressCtx;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZstdFramesTest {

  @TempDir private Path directory;

  private Path file(byte[] content) throws IOException {
    return Files.write(directory.resolve("text.zst"), content);
  }

  /** A frame with or without each part that a header may have. */
  private static byte[] frame(byte[] text, boolean checksum, boolean length) {
    try (ZstdCompressCtx context = new ZstdCompressCtx()) {
      return context.setChecksum(checksum).setContentSize(length).compress(text);
    }
  }

  private static byte[] skippable(int bytes) {
    return ByteBuffer.allocate(8 + bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(0x184d2a53)
        .putInt(bytes)
        .array();
  }

  /** Texts whose blocks are raw, compressed and of one byte; some of several blocks. */
  private static byte[] text(Random random, int bytes, int kind) {
    byte[] text = new byte[bytes];
    if (kind == 0) {
      random.nextBytes(text);
    } else if (kind == 1) {
      for (int i = 0; i < bytes; i++) {
        text[i] = (byte) ('0' + random.nextInt(10));
      }
    }
    return text;
  }

  @Test
  void framesOfAllKindsAreWholeAndWhatIsLeftOfThemIsNot() throws IOException {
    Random random = new Random(5);
    for (int bytes : new int[] {0, 1, 100, 255, 256, 70_000, 400_000}) {
      for (int kind = 0; kind < 3; kind++) {
        for (int header = 0; header < 4; header++) {
          byte[] whole = frame(text(random, bytes, kind), (header & 1) != 0, (header & 2) != 0);
          assertThatCode(() -> ZstdFrames.requireWhole(file(whole)))
              .as("%d bytes of kind %d, header %d", bytes, kind, header)
              .doesNotThrowAnyException();
          for (int length : new int[] {whole.length - 1, whole.length / 2, 7, 3, 1}) {
            if (length < whole.length) {
              isCutOff(Arrays.copyOf(whole, length));
            }
          }
        }
      }
    }
  }

  @Test
  void aFileEndsWithAnyOfItsFrames() throws IOException {
    byte[] first = frame(new byte[1000], true, true);
    byte[] between = skippable(20);
    byte[] last = frame("ends".getBytes(UTF_8), false, false);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(first);
    all.writeBytes(between);
    all.writeBytes(last);
    byte[] whole = all.toByteArray();
    for (int length = 1; length <= whole.length; length++) {
      byte[] content = Arrays.copyOf(whole, length);
      if (length == first.length
          || length == first.length + between.length
          || length == whole.length) {
        ZstdFrames.requireWhole(file(content));
      } else {
        isCutOff(content);
      }
    }
  }

  @Test
  void whatIsNoFrameIsLeftToTheEngineAndAnEmptyFileIsNone() throws IOException {
    ZstdFrames.requireWhole(file("1,a\n2,b\n".getBytes(UTF_8)));
    assertThatThrownBy(() -> ZstdFrames.requireWhole(file(new byte[0])))
        .isInstanceOf(DamagedStreamException.class)
        .hasMessageContaining("text.zst is damaged: it is empty");
  }

  private void isCutOff(byte[] content) {
    assertThatThrownBy(() -> ZstdFrames.requireWhole(file(content)))
        .as("%d bytes", content.length)
        .isInstanceOf(DamagedStreamException.class)
        .hasMessageContaining("text.zst is damaged: it is cut off after " + content.length);
  }
}
