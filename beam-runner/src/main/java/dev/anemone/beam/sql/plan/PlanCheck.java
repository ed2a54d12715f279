// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import dev.anemone.beam.sql.exec.AggregateRel;
import dev.anemone.beam.sql.rel.UnsupportedSqlException;
import dev.anemone.beam.sql.validate.QuantileFunction;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.beam.sdk.extensions.sql.impl.transform.BeamBuiltinAggregations;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelVisitor;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Aggregate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.AggregateCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Calc;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Correlate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Filter;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Project;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Uncollect;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexOver;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlAggFunction;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.validate.SqlUserDefinedAggFunction;

/** Refuses what no operator can run, with the name of the clause. */
final class PlanCheck extends RelVisitor {

  private final List<String> reasons;

  private PlanCheck(List<String> reasons) {
    this.reasons = reasons;
  }

  /**
   * Checks an optimized query.
   *
   * @param reasons what kept parts of it in rows
   * @throws UnsupportedSqlException if something in it cannot be run
   */
  static void check(RelNode query, List<String> reasons) {
    new PlanCheck(reasons).go(query);
  }

  @Override
  public void visit(RelNode node, int ordinal, RelNode parent) {
    if (node instanceof Aggregate aggregate) {
      check(aggregate);
    }
    if (node instanceof TableFunctionScan scan) {
      throw new UnsupportedSqlException(
          "The table function "
              + scan.getCall()
              + " is not supported. There are TUMBLE, HOP and SESSION.");
    }
    if (isUnnest(node)) {
      throw new UnsupportedSqlException(
          "This UNNEST is not supported. It takes one array: a column, or a constant; in a LEFT JOIN"
              + " the condition is TRUE.");
    }
    if (node instanceof Calc calc && calc.getProgram().containsAggs()) {
      throw new AnalyticFunctionException(analytic(calc), whyNotInColumns());
    }
    if (node instanceof Correlate) {
      throw new UnsupportedSqlException(
          "A sub-query that refers to the outer query in this way is not supported. Refer to it in"
              + " the WHERE of the sub-query, outside of its LIMIT and of its own sub-queries.");
    }
    super.visit(node, ordinal, parent);
  }

  private static Set<String> analytic(Calc calc) {
    Set<String> functions = new TreeSet<>();
    RexShuttle names =
        new RexShuttle() {
          @Override
          public RexNode visitOver(RexOver over) {
            functions.add(over.getAggOperator().getName());
            return over;
          }
        };
    calc.getProgram().getExprList().forEach(expression -> expression.accept(names));
    return functions;
  }

  private static boolean isUnnest(RelNode node) {
    if (node instanceof Correlate correlate) {
      return isUnnest(correlate.getRight());
    }
    return node instanceof Uncollect || (isCalc(node) && isUnnest(node.getInput(0)));
  }

  private static boolean isCalc(RelNode node) {
    return node instanceof Calc || node instanceof Project || node instanceof Filter;
  }

  private String whyNotInColumns() {
    return reasons.isEmpty()
        ? "Columns need the dependency dev.anemone:anemone-beam-sql, and the option"
            + " --add-opens=java.base/java.nio=ALL-UNNAMED of the JVM, without --columnar=off."
        : "What kept the query from columns: " + String.join("; ", reasons) + ".";
  }

  private void check(Aggregate aggregate) {
    if (aggregate.getGroupType() != Aggregate.Group.SIMPLE) {
      throw new UnsupportedSqlException(
          "GROUPING SETS, ROLLUP and CUBE are not supported in rows. "
              + whyNotInColumns()
              + " Or write a query for each grouping, and UNION ALL between them.");
    }
    boolean isOurs = AggregateRel.canRun(aggregate);
    for (AggregateCall call : aggregate.getAggCallList()) {
      if (call.getAggregation() instanceof QuantileFunction) {
        throw new UnsupportedSqlException(
            "The aggregate " + call + " is not supported in rows. " + whyNotInColumns());
      }
      if (call.getAggregation().getKind() == SqlKind.SINGLE_VALUE
          && aggregate.getGroupCount() > 0) {
        // It would fail for the groups of all rows, also of those that no outer row asks for.
        throw new UnsupportedSqlException(
            "A scalar sub-query that refers to the outer query, and may yield more than one row"
                + " for it, is not supported. Make it an aggregate, such as MIN(x).");
      }
      if (!isOurs) {
        checkFunction(call);
      }
      if (call.isDistinct() || call.hasFilter() || call.distinctKeys != null) {
        throw new UnsupportedSqlException(
            "The aggregate "
                + call
                + " is not supported: FILTER, or DISTINCT in this place. Use"
                + " CASE, or SELECT DISTINCT in a sub-query.");
      }
    }
  }

  /** Beam's own aggregation knows these and functions of users, and fails for others. */
  private static void checkFunction(AggregateCall call) {
    SqlAggFunction function = call.getAggregation();
    boolean known =
        function instanceof SqlUserDefinedAggFunction
            || function.getKind() == SqlKind.SINGLE_VALUE
            || BeamBuiltinAggregations.BUILTIN_AGGREGATOR_FACTORIES.containsKey(function.getName());
    if (!known) {
      throw new UnsupportedSqlException(
          "The aggregate function "
              + function.getName()
              + " is not supported. There are ANY_VALUE, AVG, BIT_AND, BIT_OR, BIT_XOR, CORR, COUNT,"
              + " COVAR_POP, COVAR_SAMP, MAX, MEDIAN, MIN, PERCENTILE_CONT, PERCENTILE_DISC,"
              + " STDDEV_POP, STDDEV_SAMP, SUM, VAR_POP and VAR_SAMP.");
    }
  }
}
