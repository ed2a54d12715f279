// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import dev.anemone.ir.IRDag;
import java.util.List;

/**
 * What a reshaping pass makes of a graph.
 *
 * @param dag the graph after the pass
 * @param notes what a person should know of that, see {@link CompileTimePass#notes}
 */
public record Reshaped(IRDag dag, List<String> notes) {

  public Reshaped {
    notes = List.copyOf(notes);
  }
}
