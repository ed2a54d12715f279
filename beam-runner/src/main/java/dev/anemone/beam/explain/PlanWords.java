// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.explain;

import dev.anemone.beam.terminal.Quantities;
import dev.anemone.beam.terminal.ShortNames;
import dev.anemone.ir.CombinerVertex;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.MetricAggregationVertex;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.RelayVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.ResourcePriority;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What there is to say of a vertex or an edge in a few words. */
public final class PlanWords {

  private PlanWords() {}

  /** What a person calls it, and its id. */
  public static String title(IRVertex vertex) {
    return ShortNames.ofStep(vertex.name()) + " (" + vertex.id() + ")";
  }

  /** Its tasks, the size of a source, and what else is special about it. */
  public static String of(IRVertex vertex) {
    List<String> words = new ArrayList<>();
    vertex.property(Parallelism.class).ifPresent(tasks -> words.add(tasks(tasks.tasks())));
    if (vertex instanceof SourceVertex source) {
      String parts = source.parts().size() + (source.parts().size() == 1 ? " part" : " parts");
      words.add(
          source.sizeBytes() == 0 ? parts : Quantities.bytes(source.sizeBytes()) + " in " + parts);
      if (!source.pushed().isEmpty()) {
        words.add(source.pushed().size() + " operators pushed down");
      }
    }
    String kind = kind(vertex);
    if (!kind.isEmpty()) {
      words.add(kind);
    }
    vertex
        .property(ResourcePriority.class)
        .filter(priority -> priority != ResourcePriority.NONE)
        .ifPresent(priority -> words.add(priority.name()));
    return String.join(", ", words);
  }

  private static String tasks(int tasks) {
    return tasks == 1 ? "1 task" : tasks + " tasks";
  }

  private static String kind(IRVertex vertex) {
    if (vertex instanceof CombinerVertex) {
      return "combiner";
    }
    if (vertex instanceof RelayVertex) {
      return "relay";
    }
    if (vertex instanceof SampledVertex) {
      return "sample";
    }
    if (vertex instanceof MetricCollectionVertex) {
      return "measures";
    }
    return vertex instanceof MetricAggregationVertex ? "gathers measures" : "";
  }

  /** How data goes over it. */
  public static String of(IREdge edge) {
    StringBuilder words = new StringBuilder(edge.pattern().name());
    if (edge.property(Order.class).filter(Order.BY_KEY::equals).isPresent()) {
      words.append(" by key");
    }
    if (edge.pattern() != CommunicationPattern.ONE_TO_ONE) {
      edge.property(DataFlow.class)
          .ifPresent(flow -> words.append(flow == DataFlow.PUSH ? ", pushed" : ", pulled"));
      edge.property(DataStore.class)
          .ifPresent(
              store ->
                  words
                      .append(", ")
                      .append(store.name().toLowerCase(Locale.ROOT).replace('_', ' ')));
    }
    return words.toString();
  }
}
