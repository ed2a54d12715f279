// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.poolkills;

import dev.anemone.evaluation.lab.report.Machine;
import java.util.List;

/**
 * What came of it, as it is written to a file.
 *
 * @param started when, in ISO 8601
 * @param machine that it ran on
 * @param loadBefore programs that ran or waited in the minute before; negative if not known
 * @param seed of all choices
 * @param wantedKills how many were to be killed
 * @param serverKills servers that were killed
 * @param clientKills clients that were killed
 * @param right reads that got what was written
 * @param lost reads of objects that a killed server had taken along
 * @param wrong what wrong reads said
 * @param missing objects that no killed server held and that could not be read, and why
 * @param leakedBytes bytes of the pool that were in use when everything had been deleted
 * @param seconds that it took
 */
record KillFigures(
    String started,
    Machine machine,
    double loadBefore,
    long seed,
    int wantedKills,
    int serverKills,
    int clientKills,
    long right,
    long lost,
    List<String> wrong,
    List<String> missing,
    long leakedBytes,
    double seconds) {

  /**
   * Whether as many died as were to die, nothing leaked, nothing was read wrong, and nothing that
   * was safe is gone.
   */
  boolean isRight() {
    return serverKills + clientKills >= wantedKills
        && wrong.isEmpty()
        && missing.isEmpty()
        && leakedBytes == 0;
  }
}
