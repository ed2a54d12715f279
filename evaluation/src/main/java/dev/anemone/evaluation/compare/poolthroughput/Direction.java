// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poolthroughput;

/** Which way the bytes go, seen by the client. */
enum Direction {
  READ,
  WRITE
}
