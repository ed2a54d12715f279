// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir;

import dev.anemone.ir.property.VertexProperty;
import java.util.Optional;

/**
 * A step of the pipeline. Immutable: an edit of the graph replaces a vertex by a changed copy.
 *
 * <p>{@link SourceVertex} and {@link OperatorVertex} come from the front end; the others are put in
 * by passes and name the pass in {@link #insertedBy()}.
 */
public sealed interface IRVertex
    permits SourceVertex,
        OperatorVertex,
        CombinerVertex,
        RelayVertex,
        SampledVertex,
        MetricCollectionVertex,
        MetricAggregationVertex {

  /** Unique in its DAG, without white space. */
  String id();

  /** What a person calls it; need not be unique. */
  String name();

  ExecutionProperties<VertexProperty> properties();

  /** The same vertex with other properties. */
  IRVertex withProperties(ExecutionProperties<VertexProperty> properties);

  /** The pass that put this vertex into the graph, empty for the front end's own. */
  Optional<String> insertedBy();

  /** The value of a property, if it is set. */
  default <P extends VertexProperty> Optional<P> property(Class<P> type) {
    return properties().get(type);
  }
}
