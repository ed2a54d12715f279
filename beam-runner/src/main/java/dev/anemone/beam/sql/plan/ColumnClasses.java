// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexInputRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeUtil;

/** Columns that are equal to each other, by the conditions of a {@link JoinGraph}. */
final class ColumnClasses {

  private final Map<Integer, Integer> parents = new LinkedHashMap<>();

  /** Two columns of one type that a condition says are equal. */
  record Equality(RexInputRef left, RexInputRef right) {

    static Optional<Equality> of(RexNode condition) {
      return condition instanceof RexCall call
              && call.isA(SqlKind.EQUALS)
              && call.getOperands().get(0) instanceof RexInputRef left
              && call.getOperands().get(1) instanceof RexInputRef right
              && SqlTypeUtil.equalSansNullability(left.getType(), right.getType())
          ? Optional.of(new Equality(left, right))
          : Optional.empty();
    }
  }

  void add(Equality equality) {
    int left = root(equality.left().getIndex());
    int right = root(equality.right().getIndex());
    parents.put(left, left);
    parents.put(right, left);
    parents.put(equality.left().getIndex(), left);
    parents.put(equality.right().getIndex(), left);
  }

  private int root(int column) {
    int root = column;
    while (parents.containsKey(root) && parents.get(root) != root) {
      root = parents.get(root);
    }
    return root;
  }

  /** The classes of more than one column. */
  List<List<Integer>> classes() {
    Map<Integer, List<Integer>> byRoot = new LinkedHashMap<>();
    for (int column : parents.keySet()) {
      byRoot.computeIfAbsent(root(column), root -> new ArrayList<>()).add(column);
    }
    return List.copyOf(byRoot.values());
  }

  /** The columns that equal this one, itself among them. */
  List<Integer> of(int column) {
    for (List<Integer> columns : classes()) {
      if (columns.contains(column)) {
        return columns;
      }
    }
    return List.of(column);
  }
}
