// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.ndpsimulator;

import java.util.List;

/**
 * @param computeCores of each compute node
 * @param splits of all queries of a point together, but where there are more queries than usual
 * @param splitBytes mean size of a split
 * @param variation of the splits, as {@code --variation} takes it
 */
record NdpSimulatorFigures(
    int storageNodes,
    int computeNodes,
    int computeCores,
    int splits,
    double splitBytes,
    double variation,
    long seed,
    List<Curve> curves,
    List<Point> grid,
    Acceptance acceptance) {
  record Curve(String title, String axis, String file, List<Point> points) {}

  /**
   * The policies under one set of conditions. Times are means over the queries.
   *
   * @param x what changes along a curve; 0 in the grid
   * @param plannedSeconds decided by the model once for each query, when it starts
   * @param nearDataSeconds decided by the model for each split
   * @param noneNetworkBytes that cross the network when nothing is pushed
   * @param nearDataSplits how many splits then have 0, 1, ... operators pushed
   */
  record Point(
      String scenario,
      double x,
      double noneSeconds,
      double fullSeconds,
      double plannedSeconds,
      double nearDataSeconds,
      double oracleSeconds,
      List<Integer> oraclePushed,
      double noneNetworkBytes,
      double fullNetworkBytes,
      double nearDataNetworkBytes,
      List<Integer> nearDataSplits) {
    /** Time of the model, decided for each split, as a part of the oracle's. */
    double nearDataToOracle() {
      return nearDataSeconds / oracleSeconds;
    }

    /** The same as a part of the better one of pushing nothing and pushing all. */
    double nearDataToBetterExtreme() {
      return nearDataSeconds / Math.min(noneSeconds, fullSeconds);
    }
  }

  /**
   * How good the model is, decided for each split.
   *
   * @param meanToOracle mean of its time as a part of the oracle's; below 1 because an oracle that
   *     treats all splits of a query alike leaves one side idle
   * @param meanLossToOracle mean of how much longer it takes than the oracle, as a part, where it
   *     takes longer; points where it is faster count as 0
   * @param plannedMeanToOracle mean of the time of one decision for each query, as a part of the
   *     oracle's
   */
  record Acceptance(
      int points,
      double meanToOracle,
      double meanLossToOracle,
      double worstToOracle,
      double worstToBetterExtreme,
      double plannedMeanToOracle) {
    private static final double BOUND = 0.05;

    static Acceptance of(List<Point> points) {
      double toOracle = 0;
      double loss = 0;
      double planned = 0;
      double worstToOracle = 0;
      double worstToBetterExtreme = 0;
      for (Point point : points) {
        toOracle += point.nearDataToOracle();
        loss += Math.max(0, point.nearDataToOracle() - 1);
        planned += point.plannedSeconds() / point.oracleSeconds();
        worstToOracle = Math.max(worstToOracle, point.nearDataToOracle());
        worstToBetterExtreme = Math.max(worstToBetterExtreme, point.nearDataToBetterExtreme());
      }
      return new Acceptance(
          points.size(),
          toOracle / points.size(),
          loss / points.size(),
          worstToOracle,
          worstToBetterExtreme,
          planned / points.size());
    }

    boolean isNearOracle() {
      return meanLossToOracle <= BOUND;
    }

    /** Whether the model is nowhere more than 5 % slower than the better extreme. */
    boolean isNeverWorse() {
      return worstToBetterExtreme <= 1 + BOUND;
    }
  }
}
