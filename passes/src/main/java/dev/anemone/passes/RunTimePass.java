package dev.anemone.passes;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.message.Message;

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
   * edge from a started vertex to one that has not started, what only the consumer looks at.
   */
  IRDag apply(IRDag dag, M message, PassContext context);
}
