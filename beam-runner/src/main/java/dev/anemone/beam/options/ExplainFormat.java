package dev.anemone.beam.options;

/** How plans are printed. */
public enum ExplainFormat {
  NONE,
  TEXT,
  JSON,
  DOT
}
