// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tables;

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

  private NdpTables() {}

  /** The query with the tables of a data set declared. */
  static SqlTransform declare(DataSet dataSet, SqlTransform query) {
    InMemoryMetaStore tables = new InMemoryMetaStore();
    tables.registerProvider(new NdpTableProvider());
    SqlTransform declared = query.withDefaultTableProvider("files", tables);
    for (TableFiles files : dataSet.tables()) {
      declared = declared.withDdlString(statement(files));
    }
    return declared;
  }

  private static String statement(TableFiles files) {
    DataTable table = files.table();
    boolean text = files.format() == TableFiles.Format.TEXT;
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
        + files.pattern()
        + "' TBLPROPERTIES '{"
        + format
        + ", \"decimals\": \"15,2\"}'";
  }

  private static String column(Schema.Field field) {
    return field.getName() + " " + CalciteUtils.toSqlTypeName(field.getType()).getName();
  }
}
