// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ndp.rows.ArrowRows;
import java.util.ArrayList;
import java.util.List;

/** All rows of answers, for tests. */
final class AnswerRows {

  private AnswerRows() {}

  /** Reads an answer to its end, and closes it. */
  static List<List<Object>> of(PlanAnswer given) {
    List<List<Object>> rows = new ArrayList<>();
    try (PlanAnswer answer = given) {
      while (answer.loadNextBatch()) {
        rows.addAll(ArrowRows.of(answer.root(), answer.type()));
      }
    }
    return rows;
  }
}
