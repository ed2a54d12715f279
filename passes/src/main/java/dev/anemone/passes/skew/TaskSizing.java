// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassOption;
import dev.anemone.passes.defaults.ParallelismPass;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Takes tasks from a stage that will read less than was expected: as many remain as {@link
 * ParallelismPass} would have given it for the bytes that were measured.
 */
final class TaskSizing {

  /** What the options of {@link ParallelismPass} say of shuffles. */
  static final Set<PassOption<?>> OPTIONS =
      Set.of(
          ParallelismPass.PARALLELISM,
          ParallelismPass.MAX_PARALLELISM,
          ParallelismPass.TARGET_BYTES_PER_SHUFFLE_TASK,
          ParallelismPass.MIN_BYTES_PER_TASK,
          ParallelismPass.TASKS_PER_SLOT,
          ParallelismPass.MAX_BYTES_PER_SHUFFLE_TASK);

  private TaskSizing() {}

  /** The number of tasks that a stage should have; never more than it has. */
  static int tasks(IRDag dag, DrawnConsumer consumer, SizeEstimate estimate, PassContext context) {
    // That a few tasks have sent nothing does not say that nobody will.
    boolean known = estimate.exact() || estimate.total() > 0;
    if (!known || !isResizable(dag, consumer, context)) {
      return consumer.tasks();
    }
    long bytes = Math.round(estimate.total());
    return Math.min(consumer.tasks(), ParallelismPass.tasksForShuffles(bytes, context));
  }

  private static boolean isResizable(IRDag dag, DrawnConsumer consumer, PassContext context) {
    Set<String> ids =
        consumer.vertices().stream().map(IRVertex::id).collect(Collectors.toUnmodifiableSet());
    return !context.has(ParallelismPass.PARALLELISM)
        && context.resizableVertices().containsAll(ids)
        && dag.vertices().stream().noneMatch(vertex -> namesTasksOf(ids, vertex))
        && readsOnlyDrawn(dag, consumer);
  }

  /** Whether a vertex is the clone of some tasks of one of these, which must remain therefore. */
  private static boolean namesTasksOf(Set<String> ids, IRVertex vertex) {
    return vertex instanceof SampledVertex clone
        && ids.contains(clone.original())
        && !clone.samplesAll();
  }

  /** Whether all shuffles into the stage are told which task reads what. */
  private static boolean readsOnlyDrawn(IRDag dag, DrawnConsumer consumer) {
    Set<String> drawn = new HashSet<>();
    consumer.shuffles().forEach(shuffle -> drawn.add(shuffle.edge().id()));
    consumer.recombiner().ifPresent(recombiner -> drawn.add(recombiner.out().id()));
    return consumer.vertices().stream()
        .flatMap(vertex -> dag.incoming(vertex.id()).stream())
        .filter(edge -> edge.pattern() == CommunicationPattern.SHUFFLE)
        .map(IREdge::id)
        .allMatch(drawn::contains);
  }
}
