// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.anemone.shell.FileSample.Column;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.beam.sdk.extensions.sql.impl.utils.CalciteUtils;
import org.apache.beam.sdk.extensions.sql.meta.Table;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;

/** Makes tables of files, with the columns that are found in the first of them. */
final class FileTables {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern DECIMAL = Pattern.compile("DECIMAL\\((\\d+),(\\d+)\\)");

  private FileTables() {}

  /**
   * The table of a file, or of several that a pattern names.
   *
   * @throws StatementException if there is no such file, its name does not say what it is, or it
   *     has a column of a type that such tables do not have
   * @throws IOException if it cannot be read
   */
  static Table of(String location) throws IOException {
    FileKind kind = FileKind.of(location);
    List<Column> columns = FileSample.of(location, kind).columns();
    Schema.Builder schema = Schema.builder();
    ObjectNode decimals = JSON.createObjectNode();
    for (Column column : columns) {
      schema.addNullableField(column.name(), type(location, column, kind));
      Matcher digits = DECIMAL.matcher(column.type());
      if (digits.matches()) {
        decimals.put(column.name(), digits.group(1) + "," + digits.group(2));
      }
    }
    ObjectNode properties = JSON.createObjectNode();
    properties.put("format", kind.name().toLowerCase(Locale.ROOT));
    if (kind == FileKind.CSV) {
      properties.put("header", true);
    }
    if (!decimals.isEmpty() && kind != FileKind.JSON) {
      properties.set("decimals", decimals);
    }
    return Table.builder()
        .name(location)
        .type(kind == FileKind.JSON ? "text" : "ndp")
        .location(location)
        .schema(schema.build())
        .properties(properties)
        .build();
  }

  private static FieldType type(String location, Column column, FileKind kind) {
    String type = column.type();
    return switch (type) {
      case "BOOLEAN" -> CalciteUtils.BOOLEAN;
      case "TINYINT", "SMALLINT", "INTEGER", "UTINYINT", "USMALLINT" -> CalciteUtils.INTEGER;
      case "BIGINT", "UINTEGER" -> CalciteUtils.BIG_INT;
      case "FLOAT", "DOUBLE" -> CalciteUtils.DOUBLE;
      case "VARCHAR" -> CalciteUtils.VARCHAR;
      // In JSON they are texts.
      case "DATE" -> kind == FileKind.JSON ? CalciteUtils.VARCHAR : CalciteUtils.DATE;
      case "TIMESTAMP" -> kind == FileKind.JSON ? CalciteUtils.VARCHAR : CalciteUtils.TIMESTAMP;
      default -> {
        if (DECIMAL.matcher(type).matches()) {
          yield CalciteUtils.DECIMAL;
        }
        throw new StatementException(
            "Column "
                + column.name()
                + " of "
                + location
                + " is "
                + type
                + ", which tables of files do not have. CREATE EXTERNAL TABLE makes a table of its"
                + " other columns.",
            null);
      }
    };
  }
}
