// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import dev.anemone.passes.CompileTimePass;
import dev.anemone.passes.pushdown.StoragePushdownPass;
import dev.anemone.passes.pushdown.StoragePushdownPass.Pushdown;
import dev.anemone.passes.rewrite.CombinerLiftingPass;
import java.util.List;

/**
 * Pushes all operators of a read that can run there to the storage side: lambda-Flow of Rachuri et
 * al., <i>Optimizing Near-Data Processing for Spark</i>.
 */
public final class FullPushdownPolicy implements CoalescingPolicy {

  @Override
  public String description() {
    return "lets the storage side run all operators of a read that it can run";
  }

  @Override
  public List<CompileTimePass> rewrites() {
    return List.of(new StoragePushdownPass(Pushdown.FULL), new CombinerLiftingPass());
  }
}
