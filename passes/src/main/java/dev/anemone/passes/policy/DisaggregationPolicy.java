// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import dev.anemone.passes.CompileTimePass;
import dev.anemone.passes.memory.DisaggregatedMemoryPass;
import dev.anemone.passes.rewrite.CombinerLiftingPass;
import java.util.List;

/**
 * Keeps data between stages apart from the nodes that compute, in a pool of remote memory, after
 * what {@link DefaultPolicy} does to the graph. Apache Nemo's policy of this name uses a shared
 * file system for it.
 */
public final class DisaggregationPolicy implements CoalescingPolicy {

  @Override
  public String description() {
    return "keeps shuffled, broadcast and spilled data in a pool of remote memory (--memoryPool),"
        + " as far as it has room";
  }

  @Override
  public List<CompileTimePass> rewrites() {
    return List.of(new CombinerLiftingPass(), new DisaggregatedMemoryPass());
  }
}
