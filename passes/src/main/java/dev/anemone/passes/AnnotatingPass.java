// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.property.Property;
import java.util.Set;

/**
 * Sets properties of vertices and edges, and nothing else. The harness refuses the result of one
 * that sets a property that it does not declare, or that edits the graph in any other way.
 */
public non-sealed interface AnnotatingPass extends CompileTimePass {

  /** The types of the properties that it may set. */
  Set<Class<? extends Property>> annotates();

  /**
   * The types of the properties that it relies on. Each must be declared by a pass that ran before,
   * or be set somewhere in the graph; the harness names the one that is not.
   */
  default Set<Class<? extends Property>> reads() {
    return Set.of();
  }

  /**
   * The annotated graph, or {@code dag} itself when there is nothing to do.
   *
   * @param dag made only by edits from here on
   * @param context what the job runs with
   */
  IRDag apply(IRDag dag, PassContext context);
}
