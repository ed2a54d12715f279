// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import java.util.List;

/** A transform of a query, parts of which are run in rows though columns are in use. */
public interface PartsInRows {

  /** What stood in the way of columns: expressions, operators and tables, each named once. */
  List<String> reasons();
}
