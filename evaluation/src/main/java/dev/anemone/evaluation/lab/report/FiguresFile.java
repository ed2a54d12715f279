// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Raw figures as JSON. The field names carry the units. */
public final class FiguresFile {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private FiguresFile() {}

  /**
   * Writes figures, and replaces those of an earlier experiment.
   *
   * @param figures a record of plain values, lists, and such records
   * @throws IOException if the file cannot be written
   */
  public static void write(Path file, Record figures) throws IOException {
    Files.write(file, JSON.writeValueAsBytes(figures));
  }
}
