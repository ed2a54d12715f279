package dev.anemone.evaluation.poolthroughput;

/** Which way the bytes go, seen by the client. */
enum Direction {
  READ,
  WRITE
}
