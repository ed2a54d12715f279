// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRuleCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.CorrelationId;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Filter;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.JoinRelType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Project;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexCorrelVariable;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexFieldAccess;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexInputRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexSubQuery;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.tools.RelBuilder;

/**
 * Turns {@code EXISTS}, {@code NOT EXISTS}, {@code IN} and, where no null can be, {@code NOT IN}
 * into semi and anti joins, as Kim and later Dayal unnested them (TODS 1982, VLDB 1987).
 *
 * <pre>
 * Filter(EXISTS(Filter(x = $cor0.a AND y &lt;&gt; $cor0.b AND p, inner)))
 *   outer
 *                                     ──▶
 * Join(x = a AND y &lt;&gt; b, semi)
 *   outer
 *   Filter(p, inner)
 * </pre>
 *
 * <p>Conditions on the outer row may stand in the filters and projections at the top of the
 * sub-query only; Calcite's rules take the others, and add a join with the distinct outer values
 * where a condition is no equality.
 */
final class SemiJoinRule extends RelRule<RuleConfig> {

  static final RelOptRule INSTANCE =
      new RuleConfig(
              "SemiJoin",
              operand ->
                  operand
                      .operand(Filter.class)
                      .predicate(filter -> RexUtil.SubQueryFinder.containsSubQuery(filter))
                      .anyInputs(),
              SemiJoinRule::new)
          .toRule();

  private SemiJoinRule(RuleConfig config) {
    super(config);
  }

  @Override
  public void onMatch(RelOptRuleCall call) {
    Filter filter = call.rel(0);
    RelBuilder builder = call.builder().push(filter.getInput());
    List<RexNode> others = new ArrayList<>();
    boolean changed = false;
    for (RexNode conjunct : RelOptUtil.conjunctions(filter.getCondition())) {
      Optional<Membership> membership = Membership.of(conjunct, filter, builder.getRexBuilder());
      if (membership.isPresent()) {
        membership.get().join(builder);
        changed = true;
      } else {
        others.add(conjunct);
      }
    }
    if (changed) {
      call.transformTo(builder.filter(filter.getVariablesSet(), others).build());
    }
  }

  /**
   * A sub-query that can be joined.
   *
   * @param inner its rows
   * @param conditions over the columns of the outer row and those of the inner
   */
  private record Membership(JoinRelType type, RelNode inner, List<RexNode> conditions) {

    static Optional<Membership> of(RexNode conjunct, Filter filter, RexBuilder builder) {
      boolean negated = conjunct.isA(SqlKind.NOT);
      RexNode positive = negated ? ((RexCall) conjunct).getOperands().get(0) : conjunct;
      if (!(positive instanceof RexSubQuery subQuery)
          || !(subQuery.isA(SqlKind.EXISTS) || subQuery.isA(SqlKind.IN))
          || subQuery.getOperands().stream().anyMatch(o -> RexUtil.SubQueryFinder.find(o) != null)
          || (negated && mayBeUnknown(subQuery))) {
        return Optional.empty();
      }
      return Inner.of(subQuery, filter, builder)
          .map(
              inner ->
                  new Membership(
                      negated ? JoinRelType.ANTI : JoinRelType.SEMI, inner.rows, inner.conditions));
    }

    private static boolean mayBeUnknown(RexSubQuery subQuery) {
      return subQuery.isA(SqlKind.IN)
          && (subQuery.getOperands().stream().anyMatch(operand -> operand.getType().isNullable())
              || subQuery.rel.getRowType().getFieldList().stream()
                  .anyMatch(field -> field.getType().isNullable()));
    }

    void join(RelBuilder builder) {
      builder.push(inner).join(type, builder.and(conditions));
    }
  }

  /** The rows of a sub-query without what refers to the outer row. */
  private record Inner(RelNode rows, List<RexNode> conditions) {

    static Optional<Inner> of(RexSubQuery subQuery, Filter filter, RexBuilder builder) {
      int outerColumns = filter.getInput().getRowType().getFieldCount();
      List<RexNode> outputs = new ArrayList<>(builder.identityProjects(subQuery.rel.getRowType()));
      List<RexNode> correlated = new ArrayList<>();
      List<RexNode> own = new ArrayList<>();
      RelNode rows = subQuery.rel;
      while (true) {
        if (rows instanceof Project project && !project.containsOver()) {
          outputs = new ArrayList<>(RelOptUtil.pushPastProject(outputs, project));
          correlated = new ArrayList<>(RelOptUtil.pushPastProject(correlated, project));
          own = new ArrayList<>(RelOptUtil.pushPastProject(own, project));
        } else if (rows instanceof Filter inner
            && !RexUtil.SubQueryFinder.containsSubQuery(inner)) {
          for (RexNode conjunct : RelOptUtil.conjunctions(inner.getCondition())) {
            (RexUtil.containsCorrelation(conjunct) ? correlated : own).add(conjunct);
          }
        } else {
          break;
        }
        rows = rows.getInput(0);
      }
      OuterReferences outer = new OuterReferences(filter, outerColumns, builder);
      List<RexNode> conditions = new ArrayList<>();
      for (RexNode condition : correlated) {
        conditions.add(condition.accept(outer));
      }
      for (int i = 0; i < subQuery.getOperands().size(); i++) {
        conditions.add(
            builder.makeCall(
                SqlStdOperatorTable.EQUALS,
                subQuery.getOperands().get(i),
                outputs.get(i).accept(outer)));
      }
      boolean free = Set.copyOf(RelOptUtil.getVariablesUsed(rows)).isEmpty();
      return free && outer.complete
          ? Optional.of(
              new Inner(
                  own.isEmpty()
                      ? rows
                      : LogicalFilter.create(rows, RexUtil.composeConjunction(builder, own)),
                  conditions))
          : Optional.empty();
    }
  }

  /** Makes the outer row the left side of a join, and the inner one the right side. */
  private static final class OuterReferences extends RexShuttle {
    private final Set<CorrelationId> variables;
    private final int outerColumns;
    private final RexBuilder builder;

    /** Whether all variables were those of the filter, not of one further out. */
    private boolean complete = true;

    OuterReferences(Filter filter, int outerColumns, RexBuilder builder) {
      this.variables = filter.getVariablesSet();
      this.outerColumns = outerColumns;
      this.builder = builder;
    }

    @Override
    public RexNode visitFieldAccess(RexFieldAccess access) {
      if (access.getReferenceExpr() instanceof RexCorrelVariable variable
          && variables.contains(variable.id)) {
        return builder.makeInputRef(access.getType(), access.getField().getIndex());
      }
      return super.visitFieldAccess(access);
    }

    @Override
    public RexNode visitCorrelVariable(RexCorrelVariable variable) {
      complete = false;
      return variable;
    }

    @Override
    public RexNode visitInputRef(RexInputRef input) {
      return builder.makeInputRef(input.getType(), input.getIndex() + outerColumns);
    }
  }
}
