// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import dev.anemone.passes.CompileTimePass;
import dev.anemone.passes.pushdown.StoragePushdownPass;
import dev.anemone.passes.pushdown.StoragePushdownPass.Pushdown;
import dev.anemone.passes.rewrite.CombinerLiftingPass;
import java.util.List;

/**
 * Pushes no operator of a read to the storage side: what {@link FullPushdownPolicy} and {@link
 * NearDataPolicy} are compared with.
 */
public final class NoPushdownPolicy implements CoalescingPolicy {

  @Override
  public String description() {
    return "runs every operator of a read in its tasks, as if nothing could run where the data"
        + " lies";
  }

  @Override
  public List<CompileTimePass> rewrites() {
    return List.of(new StoragePushdownPass(Pushdown.NONE), new CombinerLiftingPass());
  }
}
