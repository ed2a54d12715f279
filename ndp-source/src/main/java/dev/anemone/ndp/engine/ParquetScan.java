// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ndp.sql.PlanSql;
import dev.anemone.ndp.sql.SqlText;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Lets the engine read the row groups of a split. */
final class ParquetScan {

  private static final Pattern DECIMAL = Pattern.compile("DECIMAL\\((\\d+),(\\d+)\\)");
  private static final String ZONED = "TIMESTAMP WITH TIME ZONE";

  private static final Map<SimpleType, Set<String>> LOSSLESS =
      Map.of(
          SimpleType.BOOLEAN, Set.of("BOOLEAN"),
          SimpleType.INT32, Set.of("INTEGER", "SMALLINT", "TINYINT", "USMALLINT", "UTINYINT"),
          SimpleType.INT64,
              Set.of(
                  "BIGINT", "INTEGER", "SMALLINT", "TINYINT", "UINTEGER", "USMALLINT", "UTINYINT"),
          SimpleType.DOUBLE, Set.of("DOUBLE", "FLOAT"),
          SimpleType.DATE, Set.of("DATE"),
          SimpleType.TIMESTAMP, Set.of("TIMESTAMP", "TIMESTAMP_MS", ZONED),
          SimpleType.STRING, Set.of("VARCHAR"));

  private ParquetScan() {}

  /**
   * The query of a plan's scan.
   *
   * @param name of the file for people
   * @param choice what is read of it
   * @throws NdpEngineException when the file's columns are not what the table says
   */
  static ScanQuery query(
      RowType scan, Path file, String name, ParquetFile parquet, GroupChoice choice) {
    List<String> names = List.copyOf(parquet.columns().keySet());
    StringBuilder selected = new StringBuilder();
    for (int i = 0; i < scan.fields().size(); i++) {
      Field field = scan.fields().get(i);
      int index = names.indexOf(field.name());
      if (index < 0) {
        throw new NdpEngineException(
            name
                + " has no column "
                + field.name()
                + ", which is "
                + field.type()
                + " in the table; it has "
                + names);
      }
      selected.append(i == 0 ? "" : ", ");
      selected.append(converted("t" + index, field, parquet.columns().get(field.name()), name));
      selected.append(" AS ").append(PlanSql.column(0, i));
    }
    StringBuilder aliases = new StringBuilder();
    for (int i = 0; i < names.size(); i++) {
      aliases.append("t").append(i).append(", ");
    }
    String rows =
        "SELECT "
            + selected
            + " FROM read_parquet("
            + SqlText.string(file.toString())
            + ", file_row_number = true) AS f("
            + aliases
            + "n) WHERE ";
    String sql =
        choice.ranges().isEmpty()
            ? rows + "false"
            : choice.conditions(parquet).stream()
                .map(rows::concat)
                .collect(Collectors.joining(" UNION ALL "));
    return new ScanQuery(sql, choice.groups().size(), choice.skipped());
  }

  private static String converted(String column, Field field, String fileType, String name) {
    DataType type = field.type().type();
    if (fileType.equals(SqlText.type(type))) {
      return column;
    }
    if (!isLossless(type, fileType)) {
      throw new NdpEngineException(
          "column "
              + field.name()
              + " is "
              + type
              + " in the table and "
              + fileType
              + " in "
              + name
              + ", which would lose something; declare it as it is in the file");
    }
    return fileType.equals(ZONED)
        ? "make_timestamp(epoch_us(" + column + "))"
        : SqlText.cast(column, type);
  }

  private static boolean isLossless(DataType type, String fileType) {
    if (type instanceof DecimalType decimal) {
      Matcher matcher = DECIMAL.matcher(fileType);
      if (!matcher.matches()) {
        return false;
      }
      int precision = Integer.parseInt(matcher.group(1));
      int scale = Integer.parseInt(matcher.group(2));
      return scale <= decimal.scale() && precision - scale <= decimal.integerDigits();
    }
    return LOSSLESS.get((SimpleType) type).contains(fileType);
  }
}
