// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import dev.anemone.passes.CompileTimePass;
import dev.anemone.passes.largeshuffle.LargeShufflePass;
import dev.anemone.passes.rewrite.CombinerLiftingPass;
import java.util.List;

/**
 * Batches the disk reads of every shuffle, after what {@link DefaultPolicy} does to the graph: a
 * combiner makes a shuffle smaller, and then it is aggregated.
 */
public final class LargeShufflePolicy implements CoalescingPolicy {

  @Override
  public String description() {
    return "batches disk reads: pushes every shuffle into aggregation tasks, which write one"
        + " sequential file for many consumers";
  }

  @Override
  public List<CompileTimePass> rewrites() {
    return List.of(new CombinerLiftingPass(), new LargeShufflePass());
  }
}
