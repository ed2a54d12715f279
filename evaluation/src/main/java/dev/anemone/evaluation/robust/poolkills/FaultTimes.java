// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.poolkills;

import java.time.Duration;

/**
 * How long faults are, which follows from how long servers of the pool wait for each other.
 *
 * @param answer after which a server that does not answer is lost to the others; as long as the
 *     leases are
 */
record FaultTimes(Duration answer) {

  /**
   * Much less than what others wait for an answer, also when TCP tries again only as long after the
   * end as the fault was long: nothing comes of it on a machine that has time.
   */
  Duration mostOfShort() {
    return answer.dividedBy(3);
  }

  /** More than what others wait for an answer, and until they ask: who is away so long is lost. */
  Duration leastOfLong() {
    return answer.plus(answer.dividedBy(2));
  }

  Duration mostOfLong() {
    return leastOfLong().plusSeconds(2);
  }
}
