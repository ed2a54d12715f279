// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import dev.anemone.ir.IRDag;
import java.util.List;

/** A pass that runs before the job starts. */
public sealed interface CompileTimePass extends Pass
    permits AnnotatingPass, ReshapingPass, CompositePass {

  /**
   * What a person should know of what the pass makes of a graph, such as where it applied and where
   * not, and why: one line each, printed with the plan. The harness asks the passes themselves, not
   * composites.
   *
   * @param dag the graph that the pass is applied to
   * @param context what the job runs with
   */
  default List<String> notes(IRDag dag, PassContext context) {
    return List.of();
  }
}
