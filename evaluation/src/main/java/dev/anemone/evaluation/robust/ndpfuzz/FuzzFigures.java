// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.ndpfuzz;

import dev.anemone.evaluation.lab.report.Machine;
import java.util.List;
import java.util.Map;

/**
 * The raw figures, as they are written to a file.
 *
 * @param started when, in ISO 8601
 * @param machine that it ran on
 * @param seed of the requests
 * @param requests that were sent
 * @param seconds that they took
 * @param statuses how often each kind of request was answered with each status; 0 for no answer
 * @param wrong what must not be, in words; empty when all is well
 */
record FuzzFigures(
    String started,
    Machine machine,
    long seed,
    int requests,
    double seconds,
    Map<FuzzRequest.Kind, Map<Integer, Integer>> statuses,
    List<String> wrong) {

  FuzzFigures {
    wrong = List.copyOf(wrong);
  }
}
