// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.examples.tpch.TestData;
import dev.anemone.examples.tpch.TpchDataSet;
import dev.anemone.examples.tpch.TpchTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.beam.sdk.io.BoundedSource;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.TypeName;
import org.apache.beam.sdk.testing.SourceTestUtils;
import org.apache.beam.sdk.values.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parquet files that DuckDB has written hold the same rows as the text that they were made of. */
class ParquetTableSourceTest {
  private static final double SCALE = 0.01;
  private static final int SMALL_GROUPS = 4_096;

  private final PipelineOptions options = PipelineOptionsFactory.create();

  @TempDir private Path directory;

  @Test
  void everyTableIsReadAsItsText() throws Exception {
    TpchDataSet text = TestData.scale(SCALE);
    write(text, Map.of());

    TpchDataSet parquet = TpchDataSet.open(directory, SCALE);

    for (TpchTable table : TpchTable.values()) {
      assertThat(parquet.files().files(table).format()).isEqualTo(TableFiles.Format.PARQUET);
      List<Row> expected = read(text, table, table.schema());
      assertThat(read(parquet, table, table.schema()))
          .as(table.tableName())
          .usingElementComparator(ParquetTableSourceTest::compare)
          .containsExactlyElementsOf(expected);
      assertThat(parquet.files().files(table).rows()).isEqualTo(expected.size());
    }
  }

  @Test
  void someColumnsAreReadInAnyOrder() throws Exception {
    TpchDataSet text = TestData.scale(SCALE);
    write(text, Map.of());
    Schema columns =
        Stream.of("o_orderdate", "o_custkey", "o_totalprice")
            .map(TpchTable.ORDERS.schema()::getField)
            .collect(Schema.toSchema());

    assertThat(read(TpchDataSet.open(directory, SCALE), TpchTable.ORDERS, columns))
        .isEqualTo(read(text, TpchTable.ORDERS, columns));
  }

  @Test
  void aFileIsSplitIntoItsRowGroups() throws Exception {
    write(TestData.scale(SCALE), Map.of());
    BoundedSource<Row> source =
        TpchDataSet.open(directory, SCALE).files().files(TpchTable.ORDERS).source(orderKey());

    List<? extends BoundedSource<Row>> parts = source.split(1 << 16, options);

    assertThat(parts).hasSizeGreaterThan(3);
    SourceTestUtils.assertSourcesEqualReferenceSource(source, parts, options);
  }

  @Test
  void moneyMayBeStoredAsFloatingPoint() throws Exception {
    TpchDataSet text = TestData.scale(SCALE);
    write(
        text,
        Map.of(
            TpchTable.CUSTOMER, "* REPLACE (c_acctbal::DOUBLE AS c_acctbal)",
            TpchTable.ORDERS, "o_comment AS extra, * REPLACE (o_custkey::INTEGER AS o_custkey)"));

    TpchDataSet parquet = TpchDataSet.open(directory, SCALE);

    for (TpchTable table : List.of(TpchTable.CUSTOMER, TpchTable.ORDERS)) {
      assertThat(read(parquet, table, table.schema())).isEqualTo(read(text, table, table.schema()));
    }
  }

  @Test
  void aTableMayBeADirectoryOfFiles() throws Exception {
    TpchDataSet text = TestData.scale(SCALE);
    write(text, Map.of());
    Path parts = Files.createDirectory(directory.resolve("region"));
    Files.move(directory.resolve("region.parquet"), parts.resolve("part-0.parquet"));
    Path asSparkNamesIt = Files.createDirectory(directory.resolve("part"));
    Files.move(directory.resolve("part.parquet"), asSparkNamesIt.resolve("part-0.snappy.parquet"));
    Files.writeString(asSparkNamesIt.resolve("_SUCCESS"), "");

    TpchDataSet parquet = TpchDataSet.open(directory, SCALE);

    assertThat(read(parquet, TpchTable.REGION, TpchTable.REGION.schema())).hasSize(5);
    assertThat(read(parquet, TpchTable.PART, TpchTable.PART.schema())).hasSize(2_000);
  }

  @Test
  void aMissingColumnAndAWrongTypeAreRefused() throws Exception {
    TpchDataSet text = TestData.scale(SCALE);
    write(text, Map.of(TpchTable.NATION, "* EXCLUDE (n_name)"));

    assertThatThrownBy(() -> TpchDataSet.open(directory, SCALE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nation.parquet of table nation cannot be read")
        .hasMessageContaining("no column n_name, but [n_nationkey, n_regionkey, n_comment]");

    write(text, Map.of(TpchTable.ORDERS, "* REPLACE (o_orderdate::VARCHAR AS o_orderdate)"));

    assertThatThrownBy(() -> TpchDataSet.open(directory, SCALE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("orders.parquet")
        .hasMessageContaining("o_orderdate")
        .hasMessageContaining("cannot be read as DATE");
  }

  @Test
  void whatIsNoParquetFileIsRefused() throws Exception {
    write(TestData.scale(SCALE), Map.of());
    Files.writeString(directory.resolve("part.parquet"), "1|a part|");

    assertThatThrownBy(() -> TpchDataSet.open(directory, SCALE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("part.parquet is no Parquet file");
  }

  private static Schema orderKey() {
    return Stream.of("o_orderkey")
        .map(TpchTable.ORDERS.schema()::getField)
        .collect(Schema.toSchema());
  }

  private void write(TpchDataSet text, Map<TpchTable, String> columns) throws Exception {
    try (DuckDb duckDb = new DuckDb(text.files())) {
      for (TpchTable table : TpchTable.values()) {
        duckDb.writeParquet(
            table,
            columns.getOrDefault(table, "*"),
            directory.resolve(table.tableName() + ".parquet"),
            SMALL_GROUPS);
      }
    }
  }

  private List<Row> read(TpchDataSet dataSet, TpchTable table, Schema columns) throws Exception {
    return SourceTestUtils.readFromSource(dataSet.files().files(table).source(columns), options);
  }

  /** Quantities have no digits behind the point in text, and two in DuckDB's type. */
  private static int compare(Row left, Row right) {
    for (int column = 0; column < left.getFieldCount(); column++) {
      boolean decimal =
          left.getSchema().getField(column).getType().getTypeName() == TypeName.DECIMAL;
      boolean same =
          decimal
              ? left.getDecimal(column).compareTo(right.getDecimal(column)) == 0
              : left.<Object>getValue(column).equals(right.getValue(column));
      if (!same) {
        return -1;
      }
    }
    return 0;
  }
}
