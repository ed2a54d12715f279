package dev.anemone.beam;

/** How plans are printed. */
enum ExplainFormat {
  NONE,
  TEXT,
  JSON,
  DOT
}
