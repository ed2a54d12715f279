// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import dev.anemone.ir.IRDag;

/**
 * Inserts, merges, moves and deletes vertices by the edits of {@link dev.anemone.ir.edit.DagEdit}.
 * It sets properties only of what it inserted itself; the harness refuses the result of one that
 * does more.
 */
public non-sealed interface ReshapingPass extends CompileTimePass {

  /**
   * The reshaped graph, or {@code dag} itself when there is nothing to do.
   *
   * @param dag made only by edits from here on
   * @param context what the job runs with
   */
  IRDag apply(IRDag dag, PassContext context);

  /**
   * The reshaped graph and the notes, which the harness asks for together: a pass that finds both
   * by the same work overrides this, so that it works once.
   *
   * @param dag made only by edits from here on
   * @param context what the job runs with
   */
  default Reshaped reshape(IRDag dag, PassContext context) {
    return new Reshaped(apply(dag, context), notes(dag, context));
  }
}
