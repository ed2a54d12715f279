// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.anemone.shell.rows.AlignedTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.apache.commons.csv.QuoteMode;

/** How rows are written. */
enum ResultFormat {
  /** Aligned columns below a line of names, for people. */
  TABLE {
    @Override
    String format(Outcome.Rows rows) {
      return AlignedTable.format(rows.schema(), rows.rows());
    }
  },
  /**
   * A line of names, then one line per row, by RFC 4180 with line feeds. Null is nothing; an empty
   * text is a pair of quotes.
   */
  CSV {
    @Override
    String format(Outcome.Rows rows) {
      StringBuilder text = new StringBuilder();
      try (CSVPrinter printer = new CSVPrinter(text, CSV_FORMAT)) {
        printer.printRecord(rows.schema().getFieldNames());
        for (Row row : rows.rows()) {
          printer.printRecord(cells(row, null));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return text.toString();
    }
  },
  /** One JSON object per line. */
  JSON {
    @Override
    String format(Outcome.Rows rows) {
      return rows.rows().stream().map(ResultFormat::json).collect(Collectors.joining());
    }
  },
  /** A table of Markdown. */
  MARKDOWN {
    @Override
    String format(Outcome.Rows rows) {
      Schema schema = rows.schema();
      String rule =
          schema.getFields().stream()
              .map(field -> field.getType().getTypeName().isNumericType() ? "---:" : "---")
              .collect(Collectors.joining(" | ", "| ", " |\n"));
      return markdown(schema.getFieldNames())
          + rule
          + rows.rows().stream().map(row -> markdown(cells(row, ""))).collect(Collectors.joining());
    }
  };

  private static final CSVFormat CSV_FORMAT =
      CSVFormat.Builder.create()
          .setRecordSeparator('\n')
          .setQuoteMode(QuoteMode.ALL_NON_NULL)
          .build();
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** The rows as text, of which each line ends with a line feed. */
  abstract String format(Outcome.Rows rows);

  /**
   * The format of a name.
   *
   * @throws IllegalArgumentException if there is none; the message says which there are
   */
  static ResultFormat of(String name) {
    return Arrays.stream(values())
        .filter(format -> format.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "There is no format " + name + ". Give table, csv, json or markdown."));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  private static List<String> cells(Row row, String ofNull) {
    return IntStream.range(0, row.getFieldCount())
        .mapToObj(
            column -> {
              Object value = row.getValue(column);
              return value == null ? ofNull : AlignedTable.text(value);
            })
        .toList();
  }

  private static String json(Row row) {
    ObjectNode object = MAPPER.createObjectNode();
    for (Schema.Field field : row.getSchema().getFields()) {
      Object value = row.getValue(field.getName());
      boolean plain = value == null || value instanceof Number || value instanceof Boolean;
      object.putPOJO(field.getName(), plain ? value : AlignedTable.text(value));
    }
    try {
      return MAPPER.writeValueAsString(object) + "\n";
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String markdown(List<String> cells) {
    return cells.stream()
        .map(cell -> cell.replace("\\", "\\\\").replace("|", "\\|").replace("\n", "<br>"))
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }
}
