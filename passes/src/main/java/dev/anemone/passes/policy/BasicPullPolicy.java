// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import dev.anemone.passes.CompileTimePass;
import java.util.List;

/**
 * Leaves the graph as the program has it, and pulls on all edges: the base line to measure against.
 */
public final class BasicPullPolicy implements Policy {

  @Override
  public String description() {
    return "leaves the graph as it is and pulls on all edges; the base line for measurements";
  }

  @Override
  public List<CompileTimePass> passes() {
    return DefaultAnnotations.passes();
  }
}
