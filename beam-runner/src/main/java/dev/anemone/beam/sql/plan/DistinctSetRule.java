// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import java.util.ArrayList;
import java.util.List;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRuleCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Intersect;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.SetOp;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Union;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeName;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.tools.RelBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.ImmutableBitSet;

/**
 * Makes groups of an {@code INTERSECT} or {@code EXCEPT} that drops duplicates; which inputs have a
 * row says whether the result does. Beam's operators compare the bytes of rows, by which decimals
 * of different scales differ.
 *
 * <pre>
 * Minus(all=[false])      ──▶    Project($0)
 *   a                              Filter($1 IS NOT NULL AND $2 IS NULL)
 *   b                                Aggregate(group=[{0}], MAX($1), MAX($2))
 *                                      Union(all=[true])
 *                                        Project($0, 1, NULL)
 *                                          a
 *                                        Project($0, NULL, 1)
 *                                          b
 * </pre>
 */
final class DistinctSetRule extends RelRule<RuleConfig> {

  static final RelOptRule INSTANCE =
      new RuleConfig(
              "DistinctSet",
              operand ->
                  operand
                      .operand(SetOp.class)
                      .predicate(set -> !set.all && !(set instanceof Union))
                      .anyInputs(),
              DistinctSetRule::new)
          .toRule();

  private DistinctSetRule(RuleConfig config) {
    super(config);
  }

  @Override
  public void onMatch(RelOptRuleCall call) {
    SetOp set = call.rel(0);
    RelBuilder builder = call.builder();
    int columns = set.getRowType().getFieldCount();
    int inputs = set.getInputs().size();
    for (int input = 0; input < inputs; input++) {
      builder.push(set.getInput(input));
      List<RexNode> marked = new ArrayList<>(builder.fields());
      for (int each = 0; each < inputs; each++) {
        marked.add(mark(builder, each == input));
      }
      builder.project(marked);
    }
    builder.union(true, inputs);
    List<RelBuilder.AggCall> marks = new ArrayList<>();
    for (int input = 0; input < inputs; input++) {
      marks.add(builder.max(builder.field(columns + input)));
    }
    builder.aggregate(builder.groupKey(ImmutableBitSet.range(columns)), marks);
    List<RexNode> conditions = new ArrayList<>();
    for (int input = 0; input < inputs; input++) {
      RexNode mark = builder.field(columns + input);
      boolean has = input == 0 || set instanceof Intersect;
      conditions.add(has ? builder.isNotNull(mark) : builder.isNull(mark));
    }
    builder.filter(conditions).project(builder.fields(ImmutableBitSet.range(columns)));
    call.transformTo(builder.convert(set.getRowType(), true).build());
  }

  private static RexNode mark(RelBuilder builder, boolean isSet) {
    RelDataType type = builder.getTypeFactory().createSqlType(SqlTypeName.INTEGER);
    return isSet ? builder.literal(1) : builder.getRexBuilder().makeNullLiteral(type);
  }
}
