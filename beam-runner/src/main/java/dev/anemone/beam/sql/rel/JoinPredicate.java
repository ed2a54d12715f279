// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

import org.apache.beam.sdk.values.Row;

/** The compiled form of a {@link JoinCondition}. Public, as generated code implements it. */
public interface JoinPredicate {

  /** Whether two rows match; false if SQL does not know. */
  boolean test(Row left, Row right);
}
