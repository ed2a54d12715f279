// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import dev.anemone.passes.CompileTimePass;
import dev.anemone.passes.defaults.PushDataFlowPass;
import java.util.List;

/** Leaves the graph as the program has it, and pushes over shuffles. */
public final class BasicPushPolicy implements Policy {

  @Override
  public String description() {
    return "leaves the graph as it is and pushes over shuffles where consumers can run beside"
        + " producers";
  }

  @Override
  public List<CompileTimePass> passes() {
    return DefaultAnnotations.after(new PushDataFlowPass());
  }
}
