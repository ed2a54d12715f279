// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Path;

/** What an experiment has found, as JSON, whose field names carry the units. */
public record Findings<F extends Record>(Circumstances circumstances, F figures) {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  public static void write(Path file, Record findings) throws IOException {
    JSON.writeValue(file.toFile(), findings);
  }

  public static <F extends Record> Findings<F> read(Path file, Class<F> figures)
      throws IOException {
    return JSON.readValue(
        file.toFile(), JSON.getTypeFactory().constructParametricType(Findings.class, figures));
  }
}
