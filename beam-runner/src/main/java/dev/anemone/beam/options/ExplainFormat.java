// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.options;

/** How plans are printed. */
public enum ExplainFormat {
  NONE,
  /** The last plan as a tree, and what passes decided. */
  TREE,
  /** The plan after each pass, with all that there is to a vertex or an edge. */
  TEXT,
  /** Likewise, for programs. */
  JSON,
  /** Likewise, for Graphviz. */
  DOT,
  /** The last plan as a picture. */
  SVG
}
