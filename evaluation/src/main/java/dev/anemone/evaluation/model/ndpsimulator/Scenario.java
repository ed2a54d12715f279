// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.ndpsimulator;

import java.util.List;

/**
 * One set of conditions.
 *
 * @param name for people
 * @param x what changes along a curve
 * @param clusters the hardware
 * @param queries that start together
 */
record Scenario(String name, double x, Clusters clusters, List<Query> queries) {

  /** Simulates all policies. */
  NdpSimulatorFigures.Point simulate() {
    Outcome none = Simulation.run(clusters, queries, PushdownPolicy.none());
    Outcome full = Simulation.run(clusters, queries, PushdownPolicy.full());
    Outcome planned = Simulation.run(clusters, queries, PushdownPolicy.planned(clusters, queries));
    Outcome nearData = Simulation.run(clusters, queries, PushdownPolicy.nearData());
    Oracle oracle = Oracle.of(clusters, queries);
    return new NdpSimulatorFigures.Point(
        name,
        x,
        none.meanSeconds(),
        full.meanSeconds(),
        planned.meanSeconds(),
        nearData.meanSeconds(),
        oracle.seconds(),
        oracle.pushed(),
        none.networkBytes(),
        full.networkBytes(),
        nearData.networkBytes(),
        nearData.splitsByPushed());
  }
}
