// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import dev.anemone.passes.CompileTimePass;
import dev.anemone.passes.rewrite.CombinerLiftingPass;
import java.util.List;

/**
 * What runs when nothing else is asked for. Common subexpressions go first, while equal vertices
 * still have equal inputs; then combiners are lifted, so that the annotating passes cover them.
 */
public final class DefaultPolicy implements CoalescingPolicy {

  @Override
  public String description() {
    return "shares common subexpressions, combines before shuffles, pulls through local files";
  }

  @Override
  public List<CompileTimePass> rewrites() {
    return List.of(new CombinerLiftingPass());
  }
}
