// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpcds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.examples.tables.DataSet;
import dev.anemone.examples.tables.DuckDb;
import dev.anemone.examples.tables.TableFiles;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.testing.SourceTestUtils;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The generated text, and Parquet files that DuckDB has written of it, hold the same rows. */
@Tag("slow")
class TpcdsDataTest {
  private static final double SCALE = 0.01;

  @TempDir private static Path directory;
  private static DataSet text;
  private static DataSet parquet;

  @BeforeAll
  static void write() throws Exception {
    text =
        Tpcds.open(Path.of("target", "tpcds", "scale-" + SCALE).toAbsolutePath().toString(), SCALE);
    try (DuckDb duckDb = new DuckDb(text)) {
      for (TpcdsTable table : TpcdsTable.values()) {
        duckDb.writeParquet(table, "*", directory.resolve(table.tableName() + ".parquet"), 1 << 16);
      }
    }
    parquet = Tpcds.open(directory.toString(), SCALE);
  }

  @ParameterizedTest
  @EnumSource(
      value = TpcdsTable.class,
      names = {"CALL_CENTER", "CUSTOMER", "ITEM", "STORE_RETURNS", "WEB_SITE"})
  void aTableWithNullsIsReadAsItsText(TpcdsTable table) throws Exception {
    List<List<Object>> rows = rows(text, table);

    assertThat(rows(parquet, table)).isEqualTo(rows);
    assertThat(rows.stream().flatMap(List::stream)).containsNull();
    assertThat(parquet.files(table).rows()).isEqualTo(rows.size());
  }

  @Test
  void returnsAreGeneratedWithTheirSales() throws Exception {
    int sales = rows(text, TpcdsTable.STORE_SALES).size();

    assertThat(sales).isGreaterThan(100_000);
    assertThat(rows(text, TpcdsTable.STORE_RETURNS).size()).isBetween(sales / 20, sales / 5);
  }

  @Test
  void tablesThatAreLargeAtEveryScaleHaveSeveralFiles() throws IOException {
    try (var lines =
        Files.lines(
            Path.of(
                text.files(TpcdsTable.CUSTOMER_DEMOGRAPHICS)
                    .files()
                    .get(1)
                    .resourceId()
                    .toString()))) {
      assertThat(lines.findFirst()).get().asString().startsWith("960401|");
    }
    assertThat(text.files(TpcdsTable.CUSTOMER_DEMOGRAPHICS).rows())
        .isBetween(1_500_000.0, 2_500_000.0);
  }

  @Test
  void filesOfBothFormatsAreToldApart() {
    assertThat(text.files(TpcdsTable.ITEM).format()).isEqualTo(TableFiles.Format.TEXT);
    assertThat(parquet.files(TpcdsTable.ITEM).format()).isEqualTo(TableFiles.Format.PARQUET);
  }

  @Test
  void anotherScaleIsRefused() {
    assertThatThrownBy(() -> Tpcds.open(text.directory(), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("holds data of scale 0.01, but --scale is 1.");
  }

  private static List<List<Object>> rows(DataSet dataSet, TpcdsTable table) throws Exception {
    List<List<Object>> rows = new ArrayList<>();
    SourceTestUtils.readFromSource(
            dataSet.files(table).source(table.schema()), PipelineOptionsFactory.create())
        .forEach(row -> rows.add(row.getValues().stream().map(TpcdsDataTest::comparable).toList()));
    return rows;
  }

  private static Object comparable(Object value) {
    return value instanceof BigDecimal decimal ? decimal.stripTrailingZeros() : value;
  }
}
