// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.ndpsimulator;

import dev.anemone.ndp.decide.OperatorCost;
import dev.anemone.ndp.decide.SplitCost;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A query that scans one table, with what is believed of operators that can be pushed. */
record Query(String name, List<OperatorCost> operators, List<SplitCost> splits) {
  Query {
    operators = List.copyOf(operators);
    splits = List.copyOf(splits);
  }

  /** A query whose splits, and their work, differ from their means by a part, below 1. */
  static Query generate(
      QueryShape shape,
      double storagePower,
      int splits,
      double splitBytes,
      double variation,
      long seed) {
    Random random = new Random(seed);
    List<OperatorCost> believed = shape.operators(storagePower);
    List<SplitCost> generated = new ArrayList<>();
    for (int split = 0; split < splits; split++) {
      double bytes = splitBytes * differing(random, variation);
      List<OperatorCost> operators = new ArrayList<>();
      for (OperatorCost operator : believed) {
        double work = differing(random, variation);
        operators.add(
            new OperatorCost(
                operator.name(),
                operator.selectivity() * differing(random, variation),
                operator.storageSecondsPerByte() * work,
                operator.computeSecondsPerByte() * work));
      }
      generated.add(new SplitCost(bytes, operators));
    }
    return new Query(shape.name(), believed, generated);
  }

  private static double differing(Random random, double variation) {
    return 1 + variation * (2 * random.nextDouble() - 1);
  }

  /** What is known of a split before it is read: its size, and what is believed of operators. */
  SplitCost believed(int split) {
    return new SplitCost(splits.get(split).bytes(), operators);
  }

  /** The mean split, as it is believed to be. */
  SplitCost meanSplit() {
    double bytes = splits.stream().mapToDouble(SplitCost::bytes).average().orElseThrow();
    return new SplitCost(bytes, operators);
  }

  /**
   * The scan of a query over a table in CSV: what its filter, projection and partial aggregate
   * leave of the bytes, and what they cost. The work is of the order of a vectorised engine's on
   * one core: reading and comparing CSV some 200 MB/s.
   *
   * @param filterSelectivity bytes that the filter keeps, as a part
   * @param projectSelectivity bytes that the projection keeps, as a part
   * @param aggregateSelectivity bytes that the partial aggregate leaves, as a part
   * @param aggregateWork core-seconds of the compute side for each byte that is aggregated; 0 for
   *     no aggregate
   */
  record QueryShape(
      String name,
      double filterSelectivity,
      double projectSelectivity,
      double aggregateSelectivity,
      double aggregateWork) {
    /** As Q1 of TPC-H: keeps nearly all rows and seven columns, and groups them: much work. */
    static final QueryShape Q1 = new QueryShape("Q1", 0.985, 0.40, 1e-5, 16e-9);

    /** As Q6: keeps a row in fifty and adds up one number. */
    static final QueryShape Q6 = new QueryShape("Q6", 0.019, 0.25, 1e-4, 4e-9);

    /** As Q14: keeps a row in eighty, to be joined. */
    static final QueryShape Q14 = new QueryShape("Q14", 0.0125, 0.30, 1, 0);

    /** Keeps half of the rows and half of their bytes, to be joined. */
    static final QueryShape WIDE = new QueryShape("wide", 0.5, 0.5, 1, 0);

    static final List<QueryShape> ALL = List.of(Q1, Q6, Q14, WIDE);

    /** Reading CSV and comparing, core-seconds of the compute side for each byte. */
    private static final double FILTER_WORK = 5e-9;

    private static final double PROJECT_WORK = 0.5e-9;

    /** As {@link #Q6}, with another filter. */
    static QueryShape filtering(double selectivity) {
      return new QueryShape(
          "filter " + selectivity,
          selectivity,
          Q6.projectSelectivity(),
          Q6.aggregateSelectivity(),
          Q6.aggregateWork());
    }

    /** The operators at the head of its scan, with a storage core so many times as fast. */
    List<OperatorCost> operators(double storagePower) {
      List<OperatorCost> operators = new ArrayList<>();
      operators.add(operator("filter", filterSelectivity, FILTER_WORK, storagePower));
      operators.add(operator("project", projectSelectivity, PROJECT_WORK, storagePower));
      if (aggregateWork > 0) {
        operators.add(operator("aggregate", aggregateSelectivity, aggregateWork, storagePower));
      }
      return operators;
    }

    private static OperatorCost operator(
        String name, double selectivity, double work, double storagePower) {
      return new OperatorCost(name, selectivity, work / storagePower, work);
    }
  }
}
