// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.edges;

/**
 * What the consumer tasks of an edge read over it, in bytes of keys and values before compression.
 *
 * @param tasks how many there are
 * @param bytes that all of them read
 * @param least that one of them read
 * @param most that one of them read
 */
public record TaskReads(long tasks, long bytes, long least, long most) {

  /** How many times as much as a task on average the busiest one reads; 1 if nobody reads. */
  public double maxToMean() {
    return bytes == 0 ? 1 : (double) most * tasks / bytes;
  }
}
