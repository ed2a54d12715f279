// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpch;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdOutputStream;
import dev.anemone.examples.cli.programs.DeclaredTable;
import dev.anemone.examples.launcher.Launcher;
import dev.anemone.examples.tables.DuckDb;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tables of every format are read with the class path of the launcher; that of the tests has more
 * jars, and hides what is missing there.
 */
class TpchFormatsIT {
  private static final double SCALE = 0.01;
  private static final String REVENUE = "     revenue\n------------\n1193053.2253\n";
  private static final Duration DEADLINE = Duration.ofMinutes(4);

  /** The regions, and the sum of their keys. */
  private static final String REGIONS = "5 10";

  @TempDir private static Path data;
  @TempDir private Path directory;
  private Launcher launcher;

  /** What makes other bytes of a file's. */
  private interface Format {
    OutputStream on(OutputStream file) throws IOException;
  }

  @BeforeAll
  static void write() throws Exception {
    TpchDataSet text = TestData.scale(SCALE);
    Path parquet = Files.createDirectory(data.resolve("parquet"));
    try (DuckDb duckDb = new DuckDb(text.files())) {
      for (TpchTable table : TpchTable.values()) {
        duckDb.writeParquet(table, "*", parquet.resolve(table.tableName() + ".parquet"), 1 << 16);
      }
    }
    compress(text, "none", ".tbl", file -> file);
    compress(text, "gzip", ".tbl.gz", GZIPOutputStream::new);
    compress(text, "zstd", ".tbl.zst", ZstdOutputStream::new);
  }

  private static void compress(TpchDataSet text, String directory, String suffix, Format format)
      throws IOException {
    Path compressed = Files.createDirectory(data.resolve(directory));
    for (TpchTable table : TpchTable.values()) {
      Path file = compressed.resolve(table.tableName() + suffix);
      try (OutputStream out = format.on(Files.newOutputStream(file))) {
        Files.copy(Path.of(text.files(table).files().get(0).resourceId().toString()), out);
      }
    }
  }

  @BeforeEach
  void launcher() {
    launcher = new Launcher(directory, Map.of(), DEADLINE);
  }

  @ParameterizedTest
  @CsvSource({"parquet, NDP", "gzip, SOURCES"})
  void aQueryReadsTables(String format, String tables) throws Exception {
    assertQueryReadsTables(format, tables);
  }

  @ParameterizedTest
  @Tag("nightly")
  @CsvSource({"parquet, SOURCES", "none, NDP", "zstd, SOURCES"})
  void aQueryReadsTablesOfFurtherFormats(String format, String tables) throws Exception {
    assertQueryReadsTables(format, tables);
  }

  private void assertQueryReadsTables(String format, String tables) throws Exception {
    Launcher.Run run =
        launcher.anemone(
            "tpch", "--query=6", "--data=" + data.resolve(format), "--tables=" + tables);

    assertThat(run.succeeds().out()).isEqualTo(REVENUE);
  }

  @ParameterizedTest
  @CsvSource({"parquet", "zstd"})
  void aProgramReadsADeclaredTable(String format) throws Exception {
    assertProgramReadsADeclaredTable(format);
  }

  @ParameterizedTest
  @Tag("nightly")
  @CsvSource({"none", "gzip"})
  void aProgramReadsADeclaredTableOfAFurtherFormat(String format) throws Exception {
    assertProgramReadsADeclaredTable(format);
  }

  private void assertProgramReadsADeclaredTable(String format) throws Exception {
    boolean csv = !format.equals("parquet");
    String suffix =
        switch (format) {
          case "parquet" -> ".parquet";
          case "gzip" -> ".tbl.gz";
          case "zstd" -> ".tbl.zst";
          default -> ".tbl";
        };
    String properties =
        csv
            ? "\"format\": \"csv\", \"delimiter\": \"|\", \"compression\": \"" + format + "\""
            : "\"format\": \"parquet\"";
    Path output = directory.resolve("answer");

    launcher
        .anemone(
            "run",
            DeclaredTable.class.getName(),
            "--classpath=" + Launcher.project().resolve("examples/target/test-classes"),
            "--plannerName=dev.anemone.beam.sql.AnemoneQueryPlanner",
            "--optimizationPolicy=FullPushdown",
            "--table=CREATE EXTERNAL TABLE region (r_regionkey BIGINT, r_name VARCHAR,"
                + (csv ? " r_comment VARCHAR, line_end VARCHAR" : " r_comment VARCHAR")
                + ") TYPE ndp LOCATION '"
                + data.resolve(format).resolve("region" + suffix)
                + "' TBLPROPERTIES '{"
                + properties
                + "}'",
            "--sql=SELECT COUNT(*) AS regions, SUM(r_regionkey) AS keys FROM region",
            "--output=" + output)
        .succeeds();

    assertThat(output).hasContent(REGIONS);
  }
}
