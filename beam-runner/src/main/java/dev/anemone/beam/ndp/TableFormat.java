// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.format.FileFormat;
import dev.anemone.ndp.format.ParquetFormat;
import dev.anemone.ndp.format.TextFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The properties of a table that say how it lies in its files, such as {@code {"format": "csv",
 * "delimiter": "|"}}. Of Parquet there are none but the format. Those of CSV, with their defaults:
 *
 * <table>
 * <caption>Properties of CSV</caption>
 * <tr><td>delimiter</td><td>one character between values</td><td>{@code ,}</td></tr>
 * <tr><td>quote</td><td>one character around values, or nothing</td><td>{@code "}</td></tr>
 * <tr><td>escape</td><td>one character before a quote in quotes</td><td>the quote</td></tr>
 * <tr><td>header</td><td>whether each file begins with names of columns</td><td>false</td></tr>
 * <tr><td>null</td><td>what stands for null</td><td>nothing</td></tr>
 * <tr><td>quotedNewlines</td><td>whether quotes may hold line ends</td><td>false</td></tr>
 * <tr><td>compression</td><td>none, gzip or zstd</td><td>none</td></tr>
 * </table>
 */
public final class TableFormat {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String FORMAT = "format";

  /** Of tables of Beam's own type only, which has other properties. */
  private static final String TEXT = "text";

  private static final String DIALECT = "dialect";
  private static final Set<String> CSV =
      Set.of("delimiter", "quote", "escape", "header", "null", "quotedNewlines", "compression");

  private final ObjectNode properties;

  private TableFormat(ObjectNode properties) {
    this.properties = properties;
  }

  /**
   * The format that properties describe.
   *
   * @param properties of a table; those that are named in {@code others} are for somebody else
   * @throws IllegalArgumentException when one is missing, unknown or has no such value
   */
  public static FileFormat of(ObjectNode properties, Set<String> others) {
    return new TableFormat(properties).read(others);
  }

  /** The format of a text that {@link #text} gave. */
  public static FileFormat parse(String text) {
    try {
      ObjectNode properties = (ObjectNode) JSON.readTree(text);
      return properties.path(FORMAT).asText().equals(TEXT)
          ? new TextFormat(properties.path(DIALECT).asText())
          : of(properties, Set.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A format as JSON. */
  public static String text(FileFormat format) {
    ObjectNode properties = JSON.createObjectNode();
    if (format instanceof CsvFormat csv) {
      properties.put(FORMAT, "csv");
      properties.put("delimiter", String.valueOf(csv.delimiter()));
      properties.put("quote", csv.quote().map(String::valueOf).orElse(""));
      csv.escape().ifPresent(c -> properties.put("escape", String.valueOf(c)));
      properties.put("header", csv.header());
      properties.put("null", csv.nullText());
      properties.put("quotedNewlines", csv.quotedNewlines());
      properties.put("compression", csv.compression().name().toLowerCase(Locale.ROOT));
    } else if (format instanceof TextFormat text) {
      properties.put(FORMAT, TEXT);
      properties.put(DIALECT, text.dialect());
    } else {
      properties.put(FORMAT, "parquet");
    }
    return properties.toString();
  }

  private FileFormat read(Set<String> others) {
    String format = text(FORMAT, "");
    return switch (format) {
      case "csv" -> {
        requireKnown(CSV, others);
        yield csv();
      }
      case "parquet" -> {
        requireKnown(Set.of(), others);
        yield new ParquetFormat();
      }
      default ->
          throw new IllegalArgumentException(
              "property 'format' is '" + format + "'; it must be csv or parquet");
    };
  }

  private CsvFormat csv() {
    Optional<Character> quote = character("quote", Optional.of('"'));
    return new CsvFormat(
        character("delimiter", Optional.of(','))
            .orElseThrow(() -> wrong("delimiter", "one character")),
        quote,
        character("escape", quote),
        flag("header"),
        text("null", ""),
        flag("quotedNewlines"),
        compression());
  }

  private CsvFormat.Compression compression() {
    String name = text("compression", "none");
    for (CsvFormat.Compression compression : CsvFormat.Compression.values()) {
      if (compression.name().toLowerCase(Locale.ROOT).equals(name)) {
        return compression;
      }
    }
    throw wrong("compression", "none, gzip or zstd");
  }

  private String text(String name, String absent) {
    JsonNode value = properties.path(name);
    if (value.isMissingNode()) {
      return absent;
    }
    if (!value.isTextual()) {
      throw wrong(name, "a text");
    }
    return value.textValue();
  }

  private Optional<Character> character(String name, Optional<Character> absent) {
    if (!properties.has(name)) {
      return absent;
    }
    String text = text(name, "");
    if (text.length() > 1) {
      throw wrong(name, "one character, or an empty text for none");
    }
    return text.isEmpty() ? Optional.empty() : Optional.of(text.charAt(0));
  }

  /** Beam SQL's parser of properties knows booleans, and people write them as texts too. */
  private boolean flag(String name) {
    JsonNode value = properties.path(name);
    if (value.isMissingNode()) {
      return false;
    }
    if (value.getNodeType() == JsonNodeType.BOOLEAN) {
      return value.booleanValue();
    }
    if (!value.asText().equals("true") && !value.asText().equals("false")) {
      throw wrong(name, "true or false");
    }
    return value.asText().equals("true");
  }

  private IllegalArgumentException wrong(String name, String right) {
    return new IllegalArgumentException(
        "property '" + name + "' is " + properties.path(name) + "; it must be " + right);
  }

  private void requireKnown(Set<String> ofFormat, Set<String> others) {
    List<String> unknown = new ArrayList<>();
    properties
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (!name.equals(FORMAT) && !ofFormat.contains(name) && !others.contains(name)) {
                unknown.add(name);
              }
            });
    if (!unknown.isEmpty()) {
      Set<String> known = new TreeSet<>(ofFormat);
      known.addAll(others);
      known.add(FORMAT);
      throw new IllegalArgumentException(
          "the properties " + unknown + " are not known; those of this format are " + known);
    }
  }
}
