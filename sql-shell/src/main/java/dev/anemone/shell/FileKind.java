// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import java.util.Locale;

/** How rows lie in a file, as its name says. */
enum FileKind {
  /** Columns, with their names and types in the footer. */
  PARQUET("read_parquet(?)"),
  /** Lines of values, with the names in the first one. */
  CSV("read_csv(?, header=true, delim=',', quote='\"', escape='\"')"),
  /** A JSON object in each line. */
  JSON("read_json(?, format='newline_delimited')");

  private final String reader;

  FileKind(String reader) {
    this.reader = reader;
  }

  /** The function of DuckDB that reads such a file. */
  String reader() {
    return reader;
  }

  /**
   * That of a file.
   *
   * @throws StatementException if its name ends with nothing that is known
   */
  static FileKind of(String location) {
    String name = location.toLowerCase(Locale.ROOT);
    if (name.endsWith(".parquet")) {
      return PARQUET;
    }
    if (name.endsWith(".csv")) {
      return CSV;
    }
    if (name.endsWith(".json") || name.endsWith(".jsonl") || name.endsWith(".ndjson")) {
      return JSON;
    }
    throw new StatementException(
        "What "
            + location
            + " is cannot be told from its name. Files end with .parquet, .csv, .json, .jsonl or"
            + " .ndjson; for others there is CREATE EXTERNAL TABLE.",
        null);
  }
}
