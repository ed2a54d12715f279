// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import dev.anemone.passes.CompileTimePass;
import dev.anemone.passes.largeshuffle.ConditionalLargeShufflePass;
import dev.anemone.passes.rewrite.CombinerLiftingPass;
import java.util.List;

/** Batches the disk reads of those shuffles that are large, and is {@link DefaultPolicy} else. */
public final class ConditionalLargeShufflePolicy implements CoalescingPolicy {

  @Override
  public String description() {
    return "batches the disk reads of those shuffles that have many bytes or many blocks; explain"
        + " says which and why";
  }

  @Override
  public List<CompileTimePass> rewrites() {
    return List.of(new CombinerLiftingPass(), new ConditionalLargeShufflePass());
  }
}
