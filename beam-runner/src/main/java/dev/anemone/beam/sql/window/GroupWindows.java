// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.window;

import dev.anemone.beam.sql.rel.UnsupportedSqlException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.Sessions;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.Convention;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptCluster;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelTraitSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelCollations;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Aggregate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.AggregateCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Project;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.RelFactories;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalProject;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.tools.RelBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.ImmutableBitSet;

/**
 * Takes the window out of the columns that an aggregation groups by, so that what is left is an
 * aggregation as any other, in Beam's windows:
 *
 * <pre>
 * Aggregate(group=[{0, 1}])                ──▶   Project($2, $0, $1)
 *   Project($TUMBLE($5, 3600000), $2, $3)          WindowBounds
 *     input                                        Aggregate(group=[{1}])
 *                                                    TimeWindow(time=[$0])
 *                                                      Project($5, $2, $3)
 *                                                        input
 * </pre>
 */
public final class GroupWindows {

  private GroupWindows() {}

  /**
   * What an aggregation becomes; empty if it groups by no window.
   *
   * @param leaves whether its result leaves the windows for the global one
   * @throws UnsupportedSqlException if there are no such windows, or there is no such aggregation
   */
  public static Optional<RelNode> of(Aggregate aggregate, boolean leaves) {
    if (aggregate.getGroupType() != Aggregate.Group.SIMPLE
        || !(aggregate.getInput() instanceof Project project)) {
      return Optional.empty();
    }
    List<Integer> windows =
        aggregate.getGroupSet().asList().stream()
            .filter(key -> isWindow(project.getProjects().get(key)))
            .toList();
    if (windows.size() > 1) {
      throw new UnsupportedSqlException("GROUP BY of several windows is not supported.");
    }
    return windows.stream().findFirst().map(key -> windowed(aggregate, project, key, leaves));
  }

  private static boolean isWindow(RexNode expression) {
    return expression.isA(SqlKind.TUMBLE)
        || expression.isA(SqlKind.HOP)
        || expression.isA(SqlKind.SESSION);
  }

  private static RelNode windowed(Aggregate aggregate, Project project, int key, boolean leaves) {
    RexCall window = (RexCall) project.getProjects().get(key);
    RexNode time = window.getOperands().get(0);
    WindowFn<Object, IntervalWindow> windows =
        TimeWindows.of(
            window.getKind().name(),
            time.getType(),
            window.getOperands().subList(1, window.getOperands().size()));
    check(aggregate, key, windows);
    List<RexNode> columns = new ArrayList<>(project.getProjects());
    columns.set(key, time);
    RelOptCluster cluster = aggregate.getCluster();
    RelTraitSet logical = cluster.traitSetOf(Convention.NONE);
    RelNode rows =
        new TimeWindowRel(
            cluster,
            logical,
            LogicalProject.create(
                project.getInput(),
                project.getHints(),
                columns,
                project.getRowType().getFieldNames(),
                project.getVariablesSet()),
            key,
            windows);
    RelNode groups = grouped(aggregate, rows, aggregate.getGroupSet().clear(key));
    RelNode bounds =
        new WindowBoundsRel(
            cluster, logical, groups, start(aggregate, window.getType()).getFieldList(), leaves);
    return inOrder(aggregate, bounds, aggregate.getGroupSet().indexOf(key));
  }

  private static void check(
      Aggregate aggregate, int key, WindowFn<Object, IntervalWindow> windows) {
    for (AggregateCall call : aggregate.getAggCallList()) {
      if (call.getArgList().contains(key) || call.filterArg == key) {
        throw new UnsupportedSqlException(
            "The aggregate " + call + " of a window is not supported.");
      }
      if (call.isDistinct() && windows instanceof Sessions) {
        // It takes two aggregations, and the sessions of the first are not those of the second.
        throw new UnsupportedSqlException(
            "DISTINCT in an aggregate of a SESSION is not supported.");
      }
    }
  }

  private static RelDataType start(Aggregate aggregate, RelDataType type) {
    return aggregate.getCluster().getTypeFactory().builder().add("window_start", type).build();
  }

  private static RelNode grouped(Aggregate aggregate, RelNode rows, ImmutableBitSet groups) {
    List<AggregateCall> calls = new ArrayList<>();
    for (AggregateCall call : aggregate.getAggCallList()) {
      calls.add(call(call, rows, groups));
    }
    if (calls.isEmpty() && groups.isEmpty()) {
      // An aggregation has a column.
      calls.add(count(rows));
    }
    return LogicalAggregate.create(rows, List.of(), groups, List.of(groups), calls);
  }

  /** A call whose type is that of an aggregation without the window: a sum may be NULL there. */
  private static AggregateCall call(AggregateCall call, RelNode rows, ImmutableBitSet groups) {
    return AggregateCall.create(
        call.getAggregation(),
        call.isDistinct(),
        call.isApproximate(),
        call.ignoreNulls(),
        call.rexList,
        call.getArgList(),
        call.filterArg,
        call.distinctKeys,
        call.getCollation(),
        groups.cardinality(),
        rows,
        null,
        call.getName());
  }

  private static AggregateCall count(RelNode rows) {
    return AggregateCall.create(
        SqlStdOperatorTable.COUNT,
        false,
        false,
        false,
        List.of(),
        List.of(),
        -1,
        null,
        RelCollations.EMPTY,
        0,
        rows,
        null,
        "n");
  }

  /** The columns of the aggregation, of which the window was one of the first. */
  private static RelNode inOrder(Aggregate aggregate, RelNode bounds, int window) {
    RelBuilder builder =
        RelFactories.LOGICAL_BUILDER.create(bounds.getCluster(), null).push(bounds);
    int columns = aggregate.getRowType().getFieldCount();
    List<RexNode> ordered = new ArrayList<>(builder.fields().subList(0, columns - 1));
    ordered.add(window, builder.field(bounds.getRowType().getFieldCount() - 1));
    return builder.project(ordered).convert(aggregate.getRowType(), true).build();
  }
}
