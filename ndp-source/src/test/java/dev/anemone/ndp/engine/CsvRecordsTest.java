// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ndp.engine.split.SplitBytes;
import dev.anemone.ndp.format.CsvFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvRecordsTest {

  @TempDir Path directory;

  @Test
  void aRecordBelongsWhereItsFirstByteLies() throws IOException {
    assertThat(boundaries("ab\ncd\r\ne", CsvFormat.of(',')))
        .containsExactly(0L, 3L, 3L, 3L, 7L, 7L, 7L, 7L, 8L, 8L);
  }

  @Test
  void aLineEndInQuotesEndsNoRecordWhereTheFormatSaysSo() throws IOException {
    CsvFormat format = CsvFormat.of(',').withQuotedNewlines(true);
    String text = "a,\"x\ny\"\"\n\"\nb\"\n,\"\"\nc";
    assertThat(distinct(text, format)).containsExactly(0L, 11L, 14L, 18L, 19L);
    assertThat(distinct(text, CsvFormat.of(','))).containsExactly(0L, 5L, 9L, 11L, 14L, 18L, 19L);
  }

  @Test
  void anEscapedQuoteDoesNotClose() throws IOException {
    CsvFormat format =
        new CsvFormat(
            '|', Optional.of('"'), Optional.of('\\'), false, "", true, CsvFormat.Compression.NONE);
    assertThat(distinct("\"a\\\"\n\\\\\"\nb\n", format)).containsExactly(0L, 9L, 11L);
  }

  @Test
  void recordsLongerThanTheBufferAreFound() throws IOException {
    String longLine = "x".repeat(200_000) + "\n";
    Path file = directory.resolve("long.csv");
    Files.writeString(file, longLine + "\"" + longLine + "\"\n");
    try (SplitBytes bytes = SplitBytes.of(file)) {
      assertThat(new CsvRecords(bytes, CsvFormat.of(','), read -> {}).boundaryAt(1))
          .isEqualTo(200_001);
      CsvFormat quoted = CsvFormat.of(',').withQuotedNewlines(true);
      assertThat(new CsvRecords(bytes, quoted, read -> {}).boundaryAt(200_002))
          .isEqualTo(Files.size(file));
    }
  }

  @Test
  void theEndOfALongLineIsFoundByFewReads() throws IOException {
    Path file = directory.resolve("longer.csv");
    Files.writeString(file, "x".repeat(100_000_000) + "\ny\n");
    try (SplitBytes bytes = SplitBytes.of(file)) {
      AtomicInteger opened = new AtomicInteger();
      SplitBytes counted =
          new SplitBytes() {
            @Override
            public long size() throws IOException {
              return bytes.size();
            }

            @Override
            public InputStream open(long position, long length) throws IOException {
              opened.incrementAndGet();
              return bytes.open(position, length);
            }

            @Override
            public void close() {}
          };
      CsvRecords records = new CsvRecords(counted, CsvFormat.of(','), read -> {});
      assertThat(records.boundaryAt(1)).isEqualTo(100_000_001);
      assertThat(opened).hasValueLessThan(50);
    }
  }

  private List<Long> distinct(String text, CsvFormat format) throws IOException {
    return boundaries(text, format).stream().distinct().toList();
  }

  /** The boundary at every offset, up to one beyond the end. */
  private List<Long> boundaries(String text, CsvFormat format) throws IOException {
    Path file = directory.resolve("records.csv");
    Files.write(file, text.getBytes(StandardCharsets.UTF_8));
    List<Long> boundaries = new ArrayList<>();
    try (SplitBytes bytes = SplitBytes.of(file);
        CsvRecords records = new CsvRecords(bytes, format, read -> {})) {
      for (long offset = 0; offset <= bytes.size() + 1; offset++) {
        boundaries.add(records.boundaryAt(offset));
      }
    }
    return boundaries;
  }
}
