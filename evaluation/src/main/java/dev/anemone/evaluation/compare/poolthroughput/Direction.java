package dev.anemone.evaluation.compare.poolthroughput;

/** Which way the bytes go, seen by the client. */
enum Direction {
  READ,
  WRITE
}
