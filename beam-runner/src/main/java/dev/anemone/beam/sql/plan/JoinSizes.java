// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import dev.anemone.beam.sql.rel.Selectivity;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.JoinRelType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexInputRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.tools.RelBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.ImmutableBitSet;

/** Estimated sizes of the factors of a {@link JoinGraph} and of their joins. Sets are bit masks. */
final class JoinSizes {

  private static final double SEMI = 0.5;

  private final JoinGraph graph;
  private final JoinConditions conditions;
  private final List<RelNode> filtered = new ArrayList<>();
  private final double[] rows;
  private final double[] unfilteredRows;

  /** For each class of equal columns, the factors that have one, and how many values there are. */
  private final List<ImmutableBitSet> classFactors = new ArrayList<>();

  private final List<Double> classValues = new ArrayList<>();

  JoinSizes(
      JoinGraph graph, JoinConditions conditions, Cardinality cardinality, RelBuilder builder) {
    this.graph = graph;
    this.conditions = conditions;
    int count = graph.factors().size();
    rows = new double[count];
    unfilteredRows = new double[count];
    for (int i = 0; i < count; i++) {
      JoinGraph.Factor factor = graph.factors().get(i);
      filtered.add(filtered(i, builder));
      rows[i] = cardinality.rows(filtered.get(i));
      unfilteredRows[i] = cardinality.unfilteredRows(factor.node());
    }
    for (List<Integer> columns : conditions.classes()) {
      ImmutableBitSet.Builder factors = ImmutableBitSet.builder();
      double values = Double.POSITIVE_INFINITY;
      for (int column : columns) {
        int factor = factorOf(column);
        factors.set(factor);
        JoinGraph.Factor f = graph.factors().get(factor);
        values = Math.min(values, cardinality.values(f.node(), column - f.firstColumn()));
      }
      classFactors.add(factors.build());
      classValues.add(values);
    }
  }

  /** A factor below the conditions that are on it alone. */
  RelNode filtered(int factor) {
    return filtered.get(factor);
  }

  private RelNode filtered(int index, RelBuilder builder) {
    JoinGraph.Factor factor = graph.factors().get(index);
    builder.push(factor.node());
    List<RexNode> own = new ArrayList<>();
    for (JoinConditions.Condition condition : conditions.others()) {
      if (condition.factors().equals(ImmutableBitSet.of(index))) {
        own.add(local(condition.expression(), factor));
      }
    }
    for (List<Integer> columns : conditions.classes()) {
      List<Integer> inside = columns.stream().filter(c -> factorOf(c) == index).toList();
      for (int i = 1; i < inside.size(); i++) {
        own.add(
            builder.equals(
                builder.field(inside.get(0) - factor.firstColumn()),
                builder.field(inside.get(i) - factor.firstColumn())));
      }
    }
    return builder.filter(own).build();
  }

  private static RexNode local(RexNode expression, JoinGraph.Factor factor) {
    return expression.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef input) {
            return new RexInputRef(input.getIndex() - factor.firstColumn(), input.getType());
          }
        });
  }

  /** The factor that a column belongs to. */
  int factorOf(int column) {
    for (int i = 0; i < graph.factors().size(); i++) {
      if (column < graph.factors().get(i).endColumn()) {
        return i;
      }
    }
    throw new IllegalArgumentException("There is no column " + column);
  }

  int factors() {
    return rows.length;
  }

  double rows(int factor) {
    return rows[factor];
  }

  JoinRelType type(int factor) {
    return graph.factors().get(factor).type();
  }

  /** What must be joined before a factor that is semi-joined or anti-joined. */
  int needs(int factor) {
    JoinGraph.Factor semi = graph.factors().get(factor);
    return semi.isInner() ? 0 : mask(graph.factorsOf(semi.condition()).clear(factor));
  }

  /** Whether a condition connects two sets. */
  boolean areConnected(int left, int right) {
    for (ImmutableBitSet factors : classFactors) {
      if ((mask(factors) & left) != 0 && (mask(factors) & right) != 0) {
        return true;
      }
    }
    return conditions.others().stream().anyMatch(c -> appliesFirst(mask(c.factors()), left, right));
  }

  /** Whether a condition on these factors can be evaluated on the join of two sets, not before. */
  static boolean appliesFirst(int factors, int left, int right) {
    return (factors & ~(left | right)) == 0 && (factors & ~left) != 0 && (factors & ~right) != 0;
  }

  static int mask(ImmutableBitSet factors) {
    int mask = 0;
    for (int factor : factors) {
      mask |= 1 << factor;
    }
    return mask;
  }

  /** The rows of a join of two sets that have this many. */
  double joined(int left, double leftRows, int right, double rightRows) {
    if (Integer.bitCount(right) == 1
        && type(Integer.numberOfTrailingZeros(right)) != JoinRelType.INNER) {
      return leftRows * SEMI;
    }
    double values = 1;
    double most = 1;
    for (int i = 0; i < classFactors.size(); i++) {
      int factors = mask(classFactors.get(i));
      if ((factors & left) != 0 && (factors & right) != 0) {
        values *= classValues.get(i);
        most = Math.max(most, Math.min(unfiltered(factors & left), unfiltered(factors & right)));
      }
    }
    double joined = leftRows * rightRows / Math.max(1, Math.min(values, most));
    for (JoinConditions.Condition condition : conditions.others()) {
      if (appliesFirst(mask(condition.factors()), left, right)) {
        joined *= Selectivity.of(condition.expression());
      }
    }
    return Math.max(1, joined);
  }

  /** The rows of the largest among factors: so many combinations of keys it can have. */
  private double unfiltered(int factors) {
    double most = 1;
    for (int i = 0; i < rows.length; i++) {
      if ((factors & 1 << i) != 0) {
        most = Math.max(most, unfilteredRows[i]);
      }
    }
    return most;
  }
}
