// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import java.util.List;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;

/** What came of a statement. */
sealed interface Outcome {

  /**
   * Rows in their order.
   *
   * @param cut whether there are more, which were not brought here
   */
  record Rows(Schema schema, List<Row> rows, boolean cut) implements Outcome {
    public Rows {
      rows = List.copyOf(rows);
    }
  }

  /** A text for people, perhaps of no characters. */
  record Message(String text) implements Outcome {}
}
