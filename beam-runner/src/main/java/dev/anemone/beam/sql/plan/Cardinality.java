// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import dev.anemone.beam.sql.ndp.NdpScanRel;
import dev.anemone.beam.sql.rel.Selectivity;
import dev.anemone.beam.sql.rel.UnaryRel;
import dev.anemone.beam.sql.window.TimeWindowRel;
import dev.anemone.beam.sql.window.WindowBoundsRel;
import java.util.IdentityHashMap;
import org.apache.beam.sdk.extensions.sql.impl.BeamCalciteTable;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Aggregate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Filter;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Join;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.JoinInfo;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Project;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Sort;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.TableScan;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Union;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Values;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexInputRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexLiteral;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexUtil;

/**
 * Estimates sizes from the row counts of tables, which is all that Beam SQL knows of them.
 *
 * <p>A column has at most as many values as its table has rows, and columns that are joined have at
 * most as many as the smaller of their tables: a key and those that refer to it. So an equi-join is
 * estimated as {@code |L| * |R| / min(values)}, which is right for a foreign key.
 *
 * <p>Not thread-safe; remembers what it has estimated.
 */
final class Cardinality {

  /** The part of rows that have a partner, where nothing says how many. */
  private static final double SEMI = 0.5;

  /** Groups for each row, where no column says how many. */
  private static final double GROUPED = 0.5;

  /**
   * What a table counts for that does not tell its rows, such as a {@code PCollection}: more than
   * any that does tell them, also below many filters. So it is not broadcast, and nothing is joined
   * with it without a key that can be joined with one.
   */
  private static final double UNKNOWN_ROWS = 1e18;

  private static final double FIXED_BYTES = 8;
  private static final double TEXT_BYTES = 24;

  private final IdentityHashMap<RelNode, Double> rows = new IdentityHashMap<>();

  /** Rows, at least 1. */
  double rows(RelNode node) {
    Double known = rows.get(node);
    if (known == null) {
      known = Math.max(1, estimate(node));
      rows.put(node, known);
    }
    return known;
  }

  /** Whether there is a table below that does not tell its rows. */
  static boolean isUnknown(RelNode node) {
    if (node instanceof NdpScanRel) {
      return false;
    }
    if (node instanceof TableScan scan) {
      BeamCalciteTable table = scan.getTable().unwrap(BeamCalciteTable.class);
      return table != null && table.getStatistic().isUnknown();
    }
    return node.getInputs().stream().anyMatch(Cardinality::isUnknown);
  }

  /** Rows before the filters at the top. */
  double unfilteredRows(RelNode node) {
    return node instanceof Filter || node instanceof Project
        ? unfilteredRows(node.getInput(0))
        : rows(node);
  }

  /** Bytes of all rows. */
  double bytes(RelNode node) {
    double bytesPerRow = 0;
    for (RelDataTypeField field : node.getRowType().getFieldList()) {
      bytesPerRow += bytes(field.getType());
    }
    return rows(node) * bytesPerRow;
  }

  private static double bytes(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case BOOLEAN, TINYINT -> 1;
      case CHAR, VARCHAR, BINARY, VARBINARY, ARRAY, MAP, ROW -> TEXT_BYTES;
      default -> FIXED_BYTES;
    };
  }

  private double estimate(RelNode node) {
    if (node instanceof Filter filter) {
      return rows(filter.getInput()) * Selectivity.of(filter.getCondition());
    }
    if (node instanceof Join join) {
      return estimate(join);
    }
    if (node instanceof Aggregate aggregate) {
      return estimate(aggregate);
    }
    if (node instanceof Union union) {
      return union.getInputs().stream().mapToDouble(this::rows).sum();
    }
    if (node instanceof Values values) {
      return values.getTuples().size();
    }
    if (node instanceof Sort sort && sort.fetch instanceof RexLiteral fetch) {
      return Math.min(rows(sort.getInput()), RexLiteral.intValue(fetch));
    }
    if (node instanceof WindowBoundsRel bounds) {
      return estimate(bounds);
    }
    if (node.getInputs().isEmpty()) {
      return isUnknown(node)
          ? UNKNOWN_ROWS
          : node.estimateRowCount(node.getCluster().getMetadataQuery());
    }
    return rows(node.getInput(0));
  }

  private double estimate(Aggregate aggregate) {
    if (aggregate.getGroupSet().isEmpty()) {
      return 1;
    }
    double groups = 1;
    for (int column : aggregate.getGroupSet()) {
      groups *= values(aggregate.getInput(), column);
    }
    return Math.min(groups, rows(aggregate.getInput()) * GROUPED);
  }

  /** Of an aggregation in windows nobody knows how many there are. */
  private double estimate(WindowBoundsRel bounds) {
    RelNode windowed = bounds.getInput();
    while (!(windowed instanceof TimeWindowRel) && !windowed.getInputs().isEmpty()) {
      windowed = windowed.getInput(0);
    }
    return windowed == bounds.getInput() ? rows(windowed) : rows(windowed) * GROUPED;
  }

  private double estimate(Join join) {
    JoinInfo keys = join.analyzeCondition();
    double left = rows(join.getLeft());
    double right = rows(join.getRight());
    double residual =
        Selectivity.of(
            RexUtil.composeConjunction(join.getCluster().getRexBuilder(), keys.nonEquiConditions));
    double values = 1;
    for (int i = 0; i < keys.leftKeys.size(); i++) {
      values *=
          Math.min(
              values(join.getLeft(), keys.leftKeys.get(i)),
              values(join.getRight(), keys.rightKeys.get(i)));
    }
    double pairs = left * right / Math.min(values, Math.max(left, right)) * residual;
    return switch (join.getJoinType()) {
      case INNER -> pairs;
      case LEFT -> Math.max(left, pairs);
      case RIGHT -> Math.max(right, pairs);
      case FULL -> Math.max(left + right, pairs);
      default -> left * SEMI;
    };
  }

  /** The most values that a column may have, before anything was filtered. */
  double values(RelNode node, int column) {
    if (node instanceof Project project) {
      return project.getProjects().get(column) instanceof RexInputRef input
          ? values(project.getInput(), input.getIndex())
          : rows(project);
    }
    if (node instanceof Filter || node instanceof Sort) {
      return values(node.getInput(0), column);
    }
    if (node instanceof Aggregate aggregate) {
      return column < aggregate.getGroupCount()
          ? values(aggregate.getInput(), aggregate.getGroupSet().nth(column))
          : rows(aggregate);
    }
    if (node instanceof Join join) {
      return values(join, column);
    }
    if (node instanceof UnaryRel unary && column < unary.carried()) {
      return values(unary.getInput(), column);
    }
    return rows(node);
  }

  private double values(Join join, int column) {
    int leftColumns = join.getLeft().getRowType().getFieldCount();
    boolean isLeft = column < leftColumns;
    double most =
        isLeft ? values(join.getLeft(), column) : values(join.getRight(), column - leftColumns);
    JoinInfo keys = join.analyzeCondition();
    int key = isLeft ? keys.leftKeys.indexOf(column) : keys.rightKeys.indexOf(column - leftColumns);
    if (key < 0 || join.getJoinType().isOuterJoin()) {
      return most;
    }
    double other =
        isLeft
            ? values(join.getRight(), keys.rightKeys.get(key))
            : values(join.getLeft(), keys.leftKeys.get(key));
    return Math.min(most, other);
  }
}
