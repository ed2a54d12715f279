// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.message.Message;
import java.util.List;

/**
 * Re-annotates the part of a running job that has not started, from what the job has measured.
 *
 * @param <M> the message that it takes
 */
public non-sealed interface RunTimePass<M extends Message> extends Pass {

  /** The class of the messages that it takes. */
  Class<M> messageType();

  /**
   * The re-annotated graph, or {@code dag} itself when there is nothing to do. Only properties may
   * differ, and only those of what has not started, see {@link PassContext#startedVertices()}:
   * those of a vertex that has not started, those of an edge between two such vertices, and, of an
   * edge from a started vertex to one that has not started, what only the consumer looks at. A
   * vertex may get fewer tasks if it is among {@link PassContext#resizableVertices()}, and never
   * more.
   */
  IRDag apply(IRDag dag, M message, PassContext context);

  /**
   * What a person should know of what the pass makes of a message, and why: one line each, printed
   * when the job has ended.
   *
   * @param dag the graph that the pass is applied to
   * @param message what the job has measured
   * @param context what the job runs with
   */
  default List<String> notes(IRDag dag, M message, PassContext context) {
    return List.of();
  }
}
