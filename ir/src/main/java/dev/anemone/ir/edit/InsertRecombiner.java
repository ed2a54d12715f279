// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import static dev.anemone.ir.edit.EditPreconditions.require;
import static dev.anemone.ir.edit.EditPreconditions.requireKind;
import static dev.anemone.ir.edit.EditPreconditions.requireNotSampled;

import dev.anemone.ir.CombinerVertex;
import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.ShuffleAliases;
import dev.anemone.ir.function.CombineSplit;
import dev.anemone.ir.property.AntiAffinity;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.KeyEncoder;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.ResourceSite;
import dev.anemone.ir.property.ScheduleGroup;
import dev.anemone.ir.property.SplitAssignment;
import dev.anemone.ir.property.VertexProperty;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Prepares a merging vertex for partitions that are too large for one of its tasks: several tasks
 * combine the accumulators of such a partition further, before the vertex merges what they make of
 * them.
 *
 * <pre>
 * before:  P --s SHUFFLE--> V (merging)
 *
 * after:   P --s SHUFFLE--> V (merging)
 *          P --s-divided SHUFFLE--> V-recombiner --V-recombined SHUFFLE--> V
 * </pre>
 *
 * <p>{@code s-divided} is an alias of {@code s}: it starts at the same output, which producers
 * write once, and reads no partition at first. A run-time pass moves partitions from one to the
 * other. Every shuffle into the main input gets an alias into the same recombiner.
 *
 * <p>The recombiner has the tasks and the placement of the vertex, but no {@link SplitAssignment},
 * {@link AntiAffinity}, {@link ResourceSite} or {@link ScheduleGroup}. The edge from it has the
 * coder and the key of the first shuffle; what else there is to decide of it, passes decide
 * afterwards.
 *
 * @param vertexId a vertex that merges accumulators and has a {@link Parallelism}
 * @param pass the pass that inserts the recombiner
 */
public record InsertRecombiner(String vertexId, String pass) implements DagEdit {

  public InsertRecombiner {
    Objects.requireNonNull(vertexId, "vertexId");
    Objects.requireNonNull(pass, "pass");
  }

  @Override
  public IRDag applyTo(IRDag dag) {
    String what = "insert a recombiner before " + vertexId;
    OperatorVertex consumer = requireKind(dag, vertexId, OperatorVertex.class, what);
    require(
        consumer.isMerging(),
        "cannot " + what + ": it does not merge accumulators; insert its combiners first");
    require(
        ShuffleAliases.recombinersOf(dag, vertexId).isEmpty(),
        "cannot " + what + ": it has one already");
    requireNotSampled(dag, vertexId, what);
    Parallelism tasks =
        consumer
            .property(Parallelism.class)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "cannot " + what + ": its Parallelism must be decided first"));
    List<IREdge> shuffles =
        dag.incoming(vertexId).stream().filter(e -> e.input().equals(IREdge.MAIN)).toList();
    requireShuffles(shuffles, what);

    CombinerVertex recombiner =
        new CombinerVertex(
            vertexId + "-recombiner",
            "recombiner of " + consumer.name(),
            consumer.combine().map(CombineSplit::partial).orElseThrow(),
            pass,
            placement(consumer));
    IRDag.Builder builder = dag.toBuilder().add(recombiner);
    for (IREdge edge : shuffles) {
      builder.add(
          new IREdge(
              edge.id() + "-divided",
              edge.from(),
              edge.output(),
              recombiner.id(),
              IREdge.MAIN,
              edge.elementCoder(),
              edge.properties().with(PartitionSet.none(tasks.tasks()))));
    }
    IREdge first = shuffles.get(0);
    return builder
        .add(
            new IREdge(
                vertexId + "-recombined",
                recombiner.id(),
                IREdge.MAIN,
                vertexId,
                IREdge.MAIN,
                first.elementCoder(),
                keyProperties(first)))
        .build();
  }

  private static void requireShuffles(List<IREdge> shuffles, String what) {
    require(!shuffles.isEmpty(), "cannot " + what + ": nothing leads to its main input");
    Set<List<String>> outputs = new HashSet<>();
    for (IREdge edge : shuffles) {
      String subject = "cannot " + what + ": edge " + edge.id() + " into its main input ";
      require(
          edge.pattern() == CommunicationPattern.SHUFFLE,
          subject + "is " + edge.pattern() + ", not SHUFFLE");
      require(
          edge.property(Order.class).filter(order -> order == Order.BY_KEY).isPresent(),
          subject + "is not ordered BY_KEY, so that it has no partitions of keys");
      require(
          outputs.add(List.of(edge.from(), edge.output())),
          subject
              + "reads output "
              + edge.output()
              + " of "
              + edge.from()
              + ", as does another: an alias could not say which of them it stands for");
    }
  }

  private static ExecutionProperties<VertexProperty> placement(OperatorVertex consumer) {
    return consumer
        .properties()
        .without(SplitAssignment.class)
        .without(AntiAffinity.class)
        .without(ResourceSite.class)
        .without(ScheduleGroup.class);
  }

  private static ExecutionProperties<EdgeProperty> keyProperties(IREdge shuffle) {
    ExecutionProperties<EdgeProperty> properties =
        ExecutionProperties.of(CommunicationPattern.SHUFFLE, Order.BY_KEY);
    if (shuffle.property(KeyExtractor.class).isPresent()) {
      properties = properties.with(shuffle.property(KeyExtractor.class).get());
    }
    if (shuffle.property(KeyEncoder.class).isPresent()) {
      properties = properties.with(shuffle.property(KeyEncoder.class).get());
    }
    return properties;
  }
}
