// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.window;

import dev.anemone.beam.sql.rel.UnaryRel;
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
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.RelFactories;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexInputRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlWindowTableFunction;

/**
 * Makes operators of the table functions TUMBLE, HOP and SESSION.
 *
 * <pre>
 * TableFunctionScan(TUMBLE(DESCRIPTOR($1), 3600000))      ──▶   WindowBounds
 *   input                                                       TimeWindow(time=[$1])
 *                                                                 input
 * </pre>
 */
public final class TableWindows {

  private TableWindows() {}

  /**
   * What a table function becomes; empty if it is another one.
   *
   * @param leaves whether its result leaves the windows for the global one
   * @throws UnsupportedSqlException if there are no such windows
   */
  public static Optional<RelNode> of(TableFunctionScan scan, boolean leaves) {
    return scan.getCall() instanceof RexCall call
            && call.getOperator() instanceof SqlWindowTableFunction
        ? Optional.of(windowed(scan, call, leaves))
        : Optional.empty();
  }

  private static RelNode windowed(TableFunctionScan scan, RexCall call, boolean leaves) {
    RelNode input = scan.getInput(0);
    List<Integer> columns = new ArrayList<>();
    List<RexNode> lengths = new ArrayList<>();
    for (RexNode operand : call.getOperands()) {
      if (operand.isA(SqlKind.DESCRIPTOR)) {
        ((RexCall) operand)
            .getOperands()
            .forEach(column -> columns.add(((RexInputRef) column).getIndex()));
      } else {
        lengths.add(operand);
      }
    }
    List<RelDataTypeField> fields = input.getRowType().getFieldList();
    int time = columns.get(0);
    WindowFn<Object, IntervalWindow> windows =
        TimeWindows.of(call.getOperator().getName(), fields.get(time).getType(), lengths);
    RelOptCluster cluster = scan.getCluster();
    RelTraitSet logical = cluster.traitSetOf(Convention.NONE);
    RelNode rows = new TimeWindowRel(cluster, logical, input, time, windows);
    List<RelDataTypeField> bounds =
        scan.getRowType().getFieldList().subList(fields.size(), fields.size() + 2);
    UnaryRel bounded =
        windows instanceof Sessions
            ? new SessionRel(cluster, logical, rows, columns.subList(1, columns.size()), bounds)
            : new WindowBoundsRel(cluster, logical, rows, bounds, leaves);
    return RelFactories.LOGICAL_BUILDER
        .create(cluster, null)
        .push(bounded)
        .convert(scan.getRowType(), true)
        .build();
  }
}
