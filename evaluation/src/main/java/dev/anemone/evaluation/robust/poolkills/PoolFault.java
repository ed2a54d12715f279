// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.poolkills;

/** What happens to a server or a client of the pool. */
enum PoolFault {
  /** It ends at once, and another one takes its place. */
  KILL("killed"),
  /** It stands still for a while, as in a pause of its machine. */
  STOP("stopped"),
  /** Its network drops all packets for a while. */
  CUT("cut off");

  private final String word;

  PoolFault(String word) {
    this.word = word;
  }

  /** What it is then. */
  String word() {
    return word;
  }
}
