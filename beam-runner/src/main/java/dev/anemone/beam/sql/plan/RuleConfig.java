// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import java.util.function.Function;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.RelFactories;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.tools.RelBuilderFactory;

/**
 * What a rule of ours matches. Calcite has such configurations generated.
 *
 * @param description the name of the rule, one of its own for each
 * @param operandSupplier the operators that it matches
 * @param factory makes the rule
 */
record RuleConfig(
    String description,
    RelRule.OperandTransform operandSupplier,
    RelBuilderFactory relBuilderFactory,
    Function<RuleConfig, RelOptRule> factory)
    implements RelRule.Config {

  RuleConfig(
      String description,
      RelRule.OperandTransform operandSupplier,
      Function<RuleConfig, RelOptRule> factory) {
    this(description, operandSupplier, RelFactories.LOGICAL_BUILDER, factory);
  }

  @Override
  public RelOptRule toRule() {
    return factory.apply(this);
  }

  @Override
  public RuleConfig withDescription(String other) {
    return new RuleConfig(other, operandSupplier, relBuilderFactory, factory);
  }

  @Override
  public RuleConfig withOperandSupplier(RelRule.OperandTransform other) {
    return new RuleConfig(description, other, relBuilderFactory, factory);
  }

  @Override
  public RuleConfig withRelBuilderFactory(RelBuilderFactory other) {
    return new RuleConfig(description, operandSupplier, other, factory);
  }
}
