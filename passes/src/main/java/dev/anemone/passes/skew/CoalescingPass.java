// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.RelayVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.Property;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.defaults.ParallelismPass;
import dev.anemone.passes.graph.Annotator;
import dev.anemone.passes.graph.InputEstimates;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Has the shuffles by key into each stage measured that reads nothing else but side inputs, so that
 * {@link CoalescingRunTimePass} can take tasks from it when they bring little.
 *
 * <pre>
 * before:  words --SHUFFLE--> count (8 tasks) --> write (8 tasks)
 *
 * after:   words --SHUFFLE--> count (8 tasks, Coalescing) --> write (8 tasks, Coalescing)
 * </pre>
 *
 * <p>Left alone is a stage whose number of tasks somebody else counts on, or that is to have many
 * tasks for little data: when {@link ParallelismPass#PARALLELISM} says how many, when it also reads
 * sources or shuffles that spread the load, when an operator of it {@linkplain
 * dev.anemone.ir.function.OperatorTrait#DIVIDES_WORK divides work}, when it is sampled, and when
 * its ranges were decided or are to be drawn by another pass.
 *
 * <p>It comes after the parallelism and before partitions are decided, after all that puts in
 * vertices.
 */
public final class CoalescingPass implements AnnotatingPass {

  @Override
  public Set<Class<? extends Property>> annotates() {
    return Set.of(Parallelism.Coalescing.class);
  }

  @Override
  public Set<Class<? extends Property>> reads() {
    return Set.of(Parallelism.class);
  }

  @Override
  public Set<String> requires() {
    return Set.of(ParallelismPass.class.getName());
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    if (context.has(ParallelismPass.PARALLELISM)) {
      return dag;
    }
    List<KeyedConsumer> consumers =
        KeyedConsumer.all(dag).stream().filter(consumer -> canLoseTasks(dag, consumer)).toList();
    if (consumers.isEmpty()) {
      return dag;
    }
    KeyedConsumer.Obstacles obstacles = new KeyedConsumer.Obstacles(dag);
    Map<String, Parallelism.Coalescing> marks = new HashMap<>();
    for (KeyedConsumer consumer : consumers) {
      if (obstacles.of(consumer).isEmpty()) {
        Parallelism.Coalescing mark =
            new Parallelism.Coalescing(consumer.shuffles().get(0).to() + "-bytes");
        consumer.vertices().forEach(vertex -> marks.put(vertex.id(), mark));
      }
    }
    return Annotator.vertices(
        dag, Parallelism.Coalescing.class, vertex -> Optional.ofNullable(marks.get(vertex.id())));
  }

  private static boolean canLoseTasks(IRDag dag, KeyedConsumer consumer) {
    List<IRVertex> vertices = consumer.vertices();
    return vertices.stream().noneMatch(vertex -> hasTasksOfItsOwn(dag, vertex))
        && vertices.stream()
            .flatMap(vertex -> dag.incoming(vertex.id()).stream())
            .filter(CoalescingPass::isShuffle)
            .allMatch(consumer.shuffles()::contains);
  }

  private static boolean hasTasksOfItsOwn(IRDag dag, IRVertex vertex) {
    return vertex instanceof SourceVertex
        || vertex instanceof RelayVertex
        || InputEstimates.dividesWork(vertex)
        || dag.vertices().stream()
            .anyMatch(
                v -> v instanceof SampledVertex clone && clone.original().equals(vertex.id()));
  }

  private static boolean isShuffle(IREdge edge) {
    return edge.pattern() == CommunicationPattern.SHUFFLE;
  }
}
