// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import dev.anemone.passes.CompileTimePass;
import dev.anemone.passes.RunTimePass;
import dev.anemone.passes.largeshuffle.LargeShufflePass;
import dev.anemone.passes.pushdown.FilterFromBuildSidePass;
import dev.anemone.passes.rewrite.BuildSidePass;
import dev.anemone.passes.rewrite.CombinerLiftingPass;
import dev.anemone.passes.rewrite.CommonSubexpressionEliminationPass;
import dev.anemone.passes.rewrite.DivisibleSidesPass;
import dev.anemone.passes.skew.SkewRunTimePass;
import dev.anemone.passes.skew.SkewSamplingPass;
import java.util.List;

/**
 * Batches the disk reads of every shuffle as {@link LargeShufflePolicy} does, and balances what
 * consumers read as {@link DataSkewPolicy} does: what is pushed into aggregation tasks is measured.
 */
public final class SamplingLargeShuffleSkewPolicy implements Policy {

  @Override
  public String description() {
    return "batches disk reads as LargeShuffle does, and balances what consumers read as DataSkew"
        + " does";
  }

  @Override
  public List<CompileTimePass> passes() {
    return DefaultAnnotations.after(
        new CommonSubexpressionEliminationPass(),
        new BuildSidePass(),
        new CombinerLiftingPass(),
        new DivisibleSidesPass(),
        new LargeShufflePass(),
        new SkewSamplingPass(),
        new FilterFromBuildSidePass());
  }

  @Override
  public List<RunTimePass<?>> runTimePasses() {
    return List.of(new SkewRunTimePass());
  }
}
