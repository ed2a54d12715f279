// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.schema;

import java.math.BigDecimal;

/** How a value of a column becomes one of a field. */
enum Reading {
  AS_IS,
  /** The last 32 bits of a whole number of 64 bits. */
  WRAPPED_TO_INTEGER,
  /** The last 64 bits of a whole number that is a decimal. */
  WRAPPED_TO_LONG;

  Object of(Object value) {
    if (value == null) {
      return null;
    }
    return switch (this) {
      case AS_IS -> value;
      case WRAPPED_TO_INTEGER -> ((Long) value).intValue();
      case WRAPPED_TO_LONG -> ((BigDecimal) value).longValue();
    };
  }
}
