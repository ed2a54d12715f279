// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.ndpscan;

import dev.anemone.examples.tpch.TpchTable;
import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.Expression.Column;
import dev.anemone.ir.relational.Expression.Comparison;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RelationalOperator.Filter;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.ValueType;
import dev.anemone.ndp.engine.CsvFormat;
import dev.anemone.ndp.engine.Split;
import dev.anemone.ndp.protocol.PlanRequest;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A filter of few rows of TPC-H's {@code lineitem}, as a plan and in SQL: those of the largest
 * price, with four columns.
 */
final class ScanQuery {
  private static final List<String> WANTED =
      List.of("l_quantity", "l_extendedprice", "l_discount", "l_shipdate");

  private static final String FILTERED = "l_extendedprice";

  /** Less than a thousandth of the rows has a larger price. */
  private static final String LEAST = "94000.00";

  private static final CsvFormat FORMAT =
      new CsvFormat(
          '|', Optional.empty(), Optional.empty(), false, "", false, CsvFormat.Compression.NONE);

  private ScanQuery() {}

  private static RowType columns() {
    List<Field> fields = new ArrayList<>();
    for (var field : TpchTable.LINEITEM.schema().getFields()) {
      fields.add(
          new Field(
              field.getName(),
              new ValueType(
                  DataType.parse(
                      switch (field.getType().getTypeName()) {
                        case INT32 -> "int32";
                        case INT64 -> "int64";
                        case DECIMAL -> "decimal(15,2)";
                        case LOGICAL_TYPE -> "date";
                        default -> "string";
                      }),
                  true)));
    }
    // After the last column there is a separator, too.
    fields.add(new Field("line_end", new ValueType(DataType.parse("string"), true)));
    return new RowType(fields);
  }

  /** What a proxy is asked. */
  static PlanRequest request() {
    RowType columns = columns();
    RowType scan =
        new RowType(
            columns.fields().stream().filter(field -> WANTED.contains(field.name())).toList());
    return new PlanRequest(
        FORMAT,
        columns,
        Split.WHOLE,
        RelationalPlan.of(
            scan,
            new Filter(
                new Comparison(
                    Comparison.Relation.GREATER,
                    new Column(FILTERED),
                    Literal.of(new BigDecimal(LEAST))))));
  }

  /** What DuckDB is asked. */
  static String sql(Path file) {
    String columns =
        columns().fields().stream()
            .map(field -> "'" + field.name() + "': '" + sqlType(field.type().type().text()) + "'")
            .collect(Collectors.joining(", "));
    return "SELECT "
        + String.join(", ", WANTED)
        + " FROM read_csv('"
        + file.toString().replace("'", "''")
        + "', auto_detect = false, delim = '|', header = false, quote = '', escape = '', columns ="
        + " {"
        + columns
        + "}) WHERE "
        + FILTERED
        + " > "
        + LEAST;
  }

  private static String sqlType(String type) {
    return switch (type) {
      case "int32" -> "INTEGER";
      case "int64" -> "BIGINT";
      case "string" -> "VARCHAR";
      default -> type.toUpperCase(Locale.ROOT);
    };
  }
}
