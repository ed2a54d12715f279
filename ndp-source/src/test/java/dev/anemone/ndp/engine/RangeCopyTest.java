// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ndp.engine.inflate.InflatedBytes;
import dev.anemone.ndp.engine.split.SplitBytes;
import dev.anemone.ndp.format.CsvFormat.Compression;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RangeCopyTest {

  private static final String TEXT = "1,a\n".repeat(200_000);

  @TempDir private Path directory;

  /** As where there are no pipes. */
  @Test
  void aTextOfUnknownSizeIsCopiedToItsEnd() throws IOException {
    Path file = directory.resolve("t.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(TEXT.getBytes(UTF_8));
    }
    AtomicLong written = new AtomicLong();
    Path copied = directory.resolve("copy");
    try (SplitBytes bytes = SplitBytes.of(file);
        SplitBytes text = new InflatedBytes(bytes, Compression.GZIP);
        RangeCopy copy = new RangeCopy(text, copied, written::addAndGet)) {
      copy.range(0, text.size(), 0);
    }
    assertThat(copied).hasContent(TEXT);
    assertThat(written).hasValue(TEXT.length());
  }

  @Test
  void aFileThatIsShorterThanItWasIsNot() throws IOException {
    Path file = Files.writeString(directory.resolve("t"), TEXT);
    try (SplitBytes bytes = SplitBytes.of(file);
        RangeCopy copy = new RangeCopy(bytes, directory.resolve("copy"), count -> {})) {
      assertThatThrownBy(() -> copy.range(0, TEXT.length() + 1, 0))
          .isInstanceOf(NdpEngineException.class)
          .hasMessageContaining("became shorter than");
    }
  }
}
