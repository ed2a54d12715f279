// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Compression;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.DataPersistence;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.Decompression;
import dev.anemone.ir.property.Encoder;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.Partitioner;
import dev.anemone.ir.property.Property;
import dev.anemone.ir.property.ResourceLocality;
import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.ir.property.ResourceSlot;
import dev.anemone.ir.property.ScheduleGroup;
import dev.anemone.ir.property.SplitAssignment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The properties without which the engine cannot run a graph. */
public final class RequiredAnnotations {

  private static final List<Class<? extends Property>> OF_VERTEX =
      List.of(
          Parallelism.class,
          ScheduleGroup.class,
          ResourceSlot.class,
          ResourceLocality.class,
          ResourcePriority.class);

  private static final List<Class<? extends Property>> OF_EDGE =
      List.of(
          DataFlow.class,
          DataStore.class,
          DataPersistence.class,
          Encoder.class,
          Decoder.class,
          Compression.class,
          Decompression.class);

  private RequiredAnnotations() {}

  /** The first property that is missing, as {@code Parallelism of vertex v1}; empty if none is. */
  public static Optional<String> firstMissing(IRDag dag) {
    for (IRVertex vertex : dag.vertices()) {
      for (Class<? extends Property> type : ofVertex(vertex)) {
        if (!vertex.properties().asMap().containsKey(type)) {
          return Optional.of(type.getSimpleName() + " of vertex " + vertex.id());
        }
      }
    }
    for (IREdge edge : dag.edges()) {
      for (Class<? extends Property> type : ofEdge(edge)) {
        if (!edge.properties().asMap().containsKey(type)) {
          return Optional.of(type.getSimpleName() + " of edge " + edge.id());
        }
      }
    }
    return Optional.empty();
  }

  private static List<Class<? extends Property>> ofVertex(IRVertex vertex) {
    List<Class<? extends Property>> types = new ArrayList<>(OF_VERTEX);
    if (vertex instanceof SourceVertex) {
      types.add(SplitAssignment.class);
    }
    return types;
  }

  private static List<Class<? extends Property>> ofEdge(IREdge edge) {
    List<Class<? extends Property>> types = new ArrayList<>(OF_EDGE);
    if (edge.pattern() == CommunicationPattern.SHUFFLE) {
      types.add(Partitioner.class);
      edge.property(Partitioner.class)
          .filter(Partitioner.Hash.class::isInstance)
          .ifPresent(hash -> types.add(PartitionSet.class));
    }
    return types;
  }
}
