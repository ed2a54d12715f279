// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import dev.anemone.passes.CompileTimePass;
import dev.anemone.passes.pushdown.PushdownCostPass;
import dev.anemone.passes.pushdown.StoragePushdownPass;
import dev.anemone.passes.pushdown.StoragePushdownPass.Pushdown;
import dev.anemone.passes.rewrite.CombinerLiftingPass;
import java.util.List;

/**
 * Pushes the operators of a read to the storage side for which that pays: Net-Aware of Rachuri et
 * al., <i>Optimizing Near-Data Processing for Spark</i>.
 */
public final class NearDataPolicy implements CoalescingPolicy {

  @Override
  public String description() {
    return "lets the storage side run the operators of a read for which that pays, by a model of"
        + " both sides and the network between them";
  }

  @Override
  public List<CompileTimePass> rewrites() {
    return List.of(
        new PushdownCostPass(),
        new StoragePushdownPass(Pushdown.NEAR_DATA),
        new CombinerLiftingPass());
  }
}
