// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.ndpsimulator;

import java.util.List;

/**
 * What came of a simulation.
 *
 * @param querySeconds from the start of each query to the end of its last task
 * @param networkBytes that crossed the network
 * @param storageCoreSeconds work of the storage side
 * @param splitsByPushed how many splits had 0, 1, ... operators pushed
 */
record Outcome(
    List<Double> querySeconds,
    double networkBytes,
    double storageCoreSeconds,
    List<Integer> splitsByPushed) {

  /** Mean over the queries. */
  double meanSeconds() {
    return querySeconds.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }
}
