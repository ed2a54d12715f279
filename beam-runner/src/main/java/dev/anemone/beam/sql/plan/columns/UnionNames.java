// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan.columns;

import java.util.List;
import java.util.Set;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.SetOp;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalProject;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;

/**
 * Gives the inputs of UNION, INTERSECT and EXCEPT the names and types of its result: Beam's
 * operators read fields of rows by name, and rows pass a set operator as they are.
 */
public final class UnionNames extends RelHomogeneousShuttle {

  @Override
  public RelNode visit(RelNode node) {
    RelNode withInputs = super.visit(node);
    if (!(withInputs instanceof SetOp set)) {
      return withInputs;
    }
    List<RelNode> inputs = set.getInputs().stream().map(input -> renamed(input, set)).toList();
    return set.copy(set.getTraitSet(), inputs);
  }

  private static RelNode renamed(RelNode input, SetOp set) {
    if (input.getRowType().equals(set.getRowType())) {
      return input;
    }
    var builder = input.getCluster().getRexBuilder();
    List<RexNode> columns =
        set.getRowType().getFieldList().stream()
            .map(
                field ->
                    builder.ensureType(
                        field.getType(), builder.makeInputRef(input, field.getIndex()), true))
            .toList();
    return LogicalProject.create(
        input, List.of(), columns, set.getRowType().getFieldNames(), Set.of());
  }
}
