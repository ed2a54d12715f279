// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

import java.util.List;
import java.util.Objects;

/**
 * Which of a source's rows can have a match in the joins behind it, as the small sides of these say
 * when they are there: readers leave out the others before anything else is done to them. Known as
 * semi-join reduction (Bernstein and Chiu, 1981), and, where it saves parts of files, as dynamic
 * partition pruning.
 *
 * @param filters each of them holds for a row that counts
 * @param mostKeys how many keys are looked for one by one; of more, the smallest and the largest
 */
public record KeyFilters(List<KeyFilter> filters, int mostKeys) implements VertexProperty {

  public KeyFilters {
    filters = List.copyOf(filters);
    if (filters.isEmpty() || mostKeys < 1) {
      throw new IllegalArgumentException(
          "filters by keys are one at least, with one key at least: " + filters + ", " + mostKeys);
    }
  }

  /**
   * A filter: the column has a value that a key has, too.
   *
   * @param column of the source's rows
   * @param reader id of the vertex that joins, in the stage of the source
   * @param input its side input with the keys
   * @param key the column of that
   */
  public record KeyFilter(String column, String reader, String input, String key) {

    public KeyFilter {
      Objects.requireNonNull(column, "column");
      Objects.requireNonNull(reader, "reader");
      Objects.requireNonNull(input, "input");
      Objects.requireNonNull(key, "key");
    }

    /** The filter for people. */
    public String text() {
      return column + " in " + input + "." + key + " of " + reader;
    }
  }
}
