// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.format.CsvFormat.Compression;
import dev.anemone.ndp.format.FileFormat;
import dev.anemone.ndp.format.ParquetFormat;
import dev.anemone.ndp.format.TextFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Formats of files as JSON. */
final class FormatJson {

  private static final String KIND = "kind";
  private static final String CSV = "csv";
  private static final String TEXT = "text";
  private static final String DIALECT = "dialect";
  private static final String PARQUET = "parquet";

  private FormatJson() {}

  static ObjectNode write(FileFormat format, ObjectNode node) {
    if (format instanceof ParquetFormat) {
      return node.put(KIND, PARQUET);
    }
    if (format instanceof TextFormat text) {
      return node.put(KIND, TEXT).put(DIALECT, text.dialect());
    }
    CsvFormat csv = (CsvFormat) format;
    return node.put(KIND, CSV)
        .put("delimiter", String.valueOf(csv.delimiter()))
        .put("quote", csv.quote().map(String::valueOf).orElse(""))
        .put("escape", csv.escape().map(String::valueOf).orElse(""))
        .put("header", csv.header())
        .put("null", csv.nullText())
        .put("quotedNewlines", csv.quotedNewlines())
        .put("compression", csv.compression().name().toLowerCase(Locale.ROOT));
  }

  static FileFormat read(JsonNode node) {
    if (node.path(KIND).asText().equals(PARQUET)) {
      JsonParts.requireMembers(node, Set.of(KIND), "the format");
      return new ParquetFormat();
    }
    if (node.path(KIND).asText().equals(TEXT)) {
      JsonParts.requireMembers(node, Set.of(KIND, DIALECT), "the format");
      return new TextFormat(JsonParts.text(node.get(DIALECT), "the dialect"));
    }
    JsonParts.requireMembers(
        node,
        Set.of(
            KIND,
            "delimiter",
            "quote",
            "escape",
            "header",
            "null",
            "quotedNewlines",
            "compression"),
        "the format");
    if (!JsonParts.text(node.get(KIND), "the kind of the format").equals(CSV)) {
      throw JsonParts.wrong(node.get(KIND), "the kind of the format", "csv, text or parquet");
    }
    return new CsvFormat(
        mark(node.get("delimiter"), "the delimiter")
            .orElseThrow(
                () -> JsonParts.wrong(node.get("delimiter"), "the delimiter", "a character")),
        mark(node.get("quote"), "the quote"),
        mark(node.get("escape"), "the escape"),
        JsonParts.bool(node.get("header"), "header"),
        JsonParts.text(node.get("null"), "what stands for null"),
        JsonParts.bool(node.get("quotedNewlines"), "quotedNewlines"),
        compression(node.get("compression")));
  }

  private static Optional<Character> mark(JsonNode node, String what) {
    String text = JsonParts.text(node, what);
    if (text.length() > 1) {
      throw JsonParts.wrong(node, what, "one character");
    }
    return text.isEmpty() ? Optional.empty() : Optional.of(text.charAt(0));
  }

  private static Compression compression(JsonNode node) {
    String name = JsonParts.text(node, "the compression");
    for (Compression compression : Compression.values()) {
      if (compression.name().toLowerCase(Locale.ROOT).equals(name)) {
        return compression;
      }
    }
    throw JsonParts.wrong(node, "the compression", "none, gzip or zstd");
  }
}
