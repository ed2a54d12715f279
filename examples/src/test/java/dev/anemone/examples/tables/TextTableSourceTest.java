// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tables;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.examples.tpch.TpchTable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.beam.sdk.io.BoundedSource;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.testing.SourceTestUtils;
import org.apache.beam.sdk.values.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextTableSourceTest {
  private static final Schema COLUMNS =
      Stream.of("n_nationkey", "n_comment")
          .map(TpchTable.NATION.schema()::getField)
          .collect(Schema.toSchema());

  private final PipelineOptions options = PipelineOptionsFactory.create();

  @TempDir private Path directory;

  @Test
  void everySplitHasTheLinesThatBeginInIt() throws Exception {
    // Lines of all lengths from 9 bytes on, so that splits fall on each byte of some line.
    write("nation.tbl", 40);

    SourceTestUtils.assertSplitAtFractionExhaustive(source("nation.tbl"), options);
  }

  @Test
  void partsOfSeveralFilesTogetherHoldEveryLineOnce() throws Exception {
    write("nation.tbl.1", 3_000);
    write("nation.tbl.2", 2_000);
    BoundedSource<Row> source = source("nation.tbl*");

    List<? extends BoundedSource<Row>> parts = source.split(70_000, options);

    assertThat(parts).hasSizeGreaterThan(3);
    SourceTestUtils.assertSourcesEqualReferenceSource(source, parts, options);
    assertThat(SourceTestUtils.readFromSource(source, options)).hasSize(5_000);
  }

  @Test
  void aLineMayBeLongerThanTheBufferAndTheLastOneMayLackItsEnd() throws Exception {
    String longComment = "c".repeat(1_000_000);
    Files.writeString(directory.resolve("nation.tbl"), "1|A|0|" + longComment + "|\n2|B|0|short|");

    assertThat(SourceTestUtils.readFromSource(source("nation.tbl"), options))
        .extracting(Row::getValues)
        .containsExactly(List.of(1L, longComment), List.of(2L, "short"));
  }

  @Test
  void compressedFilesAreReadAsAWhole() throws Exception {
    Path plain = write("nation.tbl.1", 3_000);
    List<Row> rows = SourceTestUtils.readFromSource(source("nation.tbl.1"), options);
    try (OutputStream out =
        new GZIPOutputStream(Files.newOutputStream(directory.resolve("nation.tbl.2.gz")))) {
      Files.copy(plain, out);
    }

    BoundedSource<Row> compressed = source("nation.tbl.2.gz");

    assertThat(SourceTestUtils.readFromSource(compressed, options)).isEqualTo(rows);
    assertThat(compressed.split(1_000, options)).hasSize(1);
  }

  @Test
  void aMalformedLineNamesTheFileAndTheByte() throws Exception {
    Path file = Files.writeString(directory.resolve("nation.tbl"), "1|A|0|fine|\nx|B|0|bad|\n");

    assertThatThrownBy(() -> SourceTestUtils.readFromSource(source("nation.tbl"), options))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("at byte 12: ")
        .hasMessageContaining("no valid value for column n_nationkey: x|B|0|bad|");
  }

  private BoundedSource<Row> source(String pattern) {
    return TextTableSource.of(directory.resolve(pattern).toString(), TpchTable.NATION, COLUMNS);
  }

  private Path write(String name, int lines) throws IOException {
    return Files.write(
        directory.resolve(name),
        LongStream.range(0, lines)
            .mapToObj(line -> line + "|N|0|" + "c".repeat((int) (line % 120)) + "|\n")
            .collect(Collectors.joining())
            .getBytes(UTF_8));
  }
}
