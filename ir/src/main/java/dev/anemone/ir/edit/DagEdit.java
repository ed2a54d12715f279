// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import dev.anemone.ir.IRDag;

/**
 * A change of a graph that keeps the meaning of the program. These are all there are: a pass cannot
 * add its own, so it cannot break a pipeline.
 *
 * <p>Edits are values: two equal edits do the same to equal graphs.
 */
public sealed interface DagEdit
    permits SetVertexProperty,
        SetEdgeProperty,
        InsertRelay,
        InsertCombiner,
        InsertRecombiner,
        InsertSampling,
        CutIntoSource,
        MergeVertices,
        EliminateExchange,
        BroadcastBuildSides,
        FuseQueries,
        DeleteInserted {

  /**
   * The graph after the edit. Callers use {@link IRDag#apply}, which also records the edit.
   *
   * @throws IllegalArgumentException when the edit does not fit the graph; the message says why
   */
  IRDag applyTo(IRDag dag);
}
