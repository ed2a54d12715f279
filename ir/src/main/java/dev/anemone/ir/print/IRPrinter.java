// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.print;

import dev.anemone.ir.IRDag;

/** Prints graphs in one format. Stateless and thread-safe; equal graphs print alike. */
public interface IRPrinter {

  /** The graph, ending with a line feed. */
  String print(IRDag dag);

  /**
   * The second graph with what was added, removed or changed since the first marked, ending with a
   * line feed. What was removed is printed too.
   */
  String print(IRDag before, IRDag after);
}
