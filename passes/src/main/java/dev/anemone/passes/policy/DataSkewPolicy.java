// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import dev.anemone.passes.CompileTimePass;
import dev.anemone.passes.RunTimePass;
import dev.anemone.passes.pushdown.FilterFromBuildSidePass;
import dev.anemone.passes.rewrite.BuildSidePass;
import dev.anemone.passes.rewrite.CombinerLiftingPass;
import dev.anemone.passes.rewrite.CommonSubexpressionEliminationPass;
import dev.anemone.passes.rewrite.DivisibleSidesPass;
import dev.anemone.passes.skew.SkewRunTimePass;
import dev.anemone.passes.skew.SkewSamplingPass;
import java.util.List;

/**
 * Gives the consumers of shuffles about equally many bytes, by what a sample of the producers has
 * sent, after what {@link DefaultPolicy} does to the graph.
 */
public final class DataSkewPolicy implements Policy {

  @Override
  public String description() {
    return "samples what producers shuffle, and then balances the bytes of the consumers' tasks,"
        + " divides hot partitions, and takes fewer tasks for little data";
  }

  @Override
  public List<CompileTimePass> passes() {
    return DefaultAnnotations.after(
        new CommonSubexpressionEliminationPass(),
        new BuildSidePass(),
        new CombinerLiftingPass(),
        new DivisibleSidesPass(),
        new SkewSamplingPass(),
        new FilterFromBuildSidePass());
  }

  @Override
  public List<RunTimePass<?>> runTimePasses() {
    return List.of(new SkewRunTimePass());
  }
}
