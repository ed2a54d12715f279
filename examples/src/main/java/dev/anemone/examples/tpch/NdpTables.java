// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpch;

import dev.anemone.beam.sql.ndp.NdpTableProvider;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.beam.sdk.extensions.sql.SqlTransform;
import org.apache.beam.sdk.extensions.sql.impl.utils.CalciteUtils;
import org.apache.beam.sdk.extensions.sql.meta.store.InMemoryMetaStore;
import org.apache.beam.sdk.schemas.Schema;

/** The tables of a data set as tables of {@code TYPE ndp}, for near-data processing. */
final class NdpTables {

  /** After the last column of text there is a separator, too. */
  private static final String LINE_END = "line_end VARCHAR";

  private final TpchDataSet dataSet;

  NdpTables(TpchDataSet dataSet) {
    this.dataSet = dataSet;
  }

  /** The query with these tables declared. */
  SqlTransform declaredFor(SqlTransform query) {
    InMemoryMetaStore tables = new InMemoryMetaStore();
    tables.registerProvider(new NdpTableProvider());
    SqlTransform declared = query.withDefaultTableProvider("tpch", tables);
    for (TpchTable table : TpchTable.values()) {
      declared = declared.withDdlString(statement(table));
    }
    return declared;
  }

  private String statement(TpchTable table) {
    boolean text = dataSet.files(table).format() == TableFiles.Format.TEXT;
    List<String> columns =
        Stream.concat(
                table.schema().getFields().stream().map(NdpTables::column),
                text ? Stream.of(LINE_END) : Stream.of())
            .collect(Collectors.toList());
    String format =
        text
            ? "\"format\": \"csv\", \"delimiter\": \"|\", \"quote\": \"\""
            : "\"format\": \"parquet\"";
    return "CREATE EXTERNAL TABLE "
        + table.tableName()
        + " ("
        + String.join(", ", columns)
        + ") TYPE "
        + NdpTableProvider.TYPE
        + " LOCATION '"
        + dataSet.files(table).pattern()
        + "' TBLPROPERTIES '{"
        + format
        + ", \"decimals\": \"15,2\"}'";
  }

  private static String column(Schema.Field field) {
    return field.getName() + " " + CalciteUtils.toSqlTypeName(field.getType()).getName();
  }
}
