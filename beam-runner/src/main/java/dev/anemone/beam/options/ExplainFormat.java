// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.options;

/** How plans are printed. */
public enum ExplainFormat {
  NONE,
  TEXT,
  JSON,
  DOT
}
