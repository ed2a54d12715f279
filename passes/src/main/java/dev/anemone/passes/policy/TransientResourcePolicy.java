// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import dev.anemone.passes.CompileTimePass;
import dev.anemone.passes.largeshuffle.TransientResourcePass;
import dev.anemone.passes.rewrite.CombinerLiftingPass;
import java.util.List;

/**
 * Runs what is cheap to repeat on containers that may be taken away, after what {@link
 * DefaultPolicy} does to the graph: a combiner leaves less to push to the containers that stay.
 */
public final class TransientResourcePolicy implements CoalescingPolicy {

  @Override
  public String description() {
    return "runs what is cheap to repeat on transient executors, and pushes their shuffles into"
        + " aggregation tasks on reserved ones, which keep them";
  }

  @Override
  public List<CompileTimePass> rewrites() {
    return List.of(new CombinerLiftingPass(), new TransientResourcePass());
  }
}
