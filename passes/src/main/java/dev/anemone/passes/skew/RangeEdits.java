// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.message.ShuffleSizes;
import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.partition.PartitionDivision;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.passes.skew.DrawnConsumer.Drawn;
import dev.anemone.passes.skew.DrawnConsumer.Recombiner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Puts a plan into a graph: numbers of tasks, and a {@link PartitionSet} for every edge that brings
 * partitions to the consumer, to its recombiner, or to clones of the consumer. Not thread-safe.
 */
final class RangeEdits {

  private final RangePlan plan;
  private IRDag dag;

  private RangeEdits(RangePlan plan, IRDag dag) {
    this.plan = plan;
    this.dag = dag;
  }

  /** The graph with the plan in it; the same graph where the plan leaves all as it is. */
  static IRDag apply(RangePlan plan, IRDag dag) {
    RangeEdits edits = new RangeEdits(plan, dag);
    plan.ranges().ifPresent(edits::drawConsumer);
    plan.consumer().recombiner().ifPresent(edits::drawRecombiner);
    return edits.dag;
  }

  private void drawConsumer(TaskRanges ranges) {
    plan.consumer().vertices().forEach(vertex -> resize(vertex, plan.tasks()));
    boolean moved = plan.consumer().recombiner().isPresent();
    List<List<HashRange>> perTask =
        ranges.perTask(partition -> !moved || !plan.divided().containsKey(partition));
    for (Drawn shuffle : plan.consumer().shuffles()) {
      set(shuffle.edge(), new PartitionSet(perTask, divisions(ranges, shuffle.sizes())));
    }
    plan.consumer()
        .recombiner()
        .ifPresent(
            recombiner ->
                set(recombiner.out(), new PartitionSet(ranges.perTask(partition -> true))));
  }

  private List<PartitionDivision> divisions(TaskRanges ranges, ShuffleSizes.Shuffle sizes) {
    List<PartitionDivision> divisions = new ArrayList<>();
    if (plan.division().method() instanceof JoinDivision join) {
      ranges
          .sharers()
          .forEach(
              (partition, tasks) ->
                  divisions.add(division(partition, tasks, !join.side(partition).equals(sizes))));
    }
    return divisions;
  }

  private static PartitionDivision division(int partition, int[] tasks, boolean replicated) {
    return new PartitionDivision(partition, Arrays.stream(tasks).boxed().toList(), replicated);
  }

  private void drawRecombiner(Recombiner recombiner) {
    TaskRanges ranges = plan.recombined().orElseThrow();
    resize(recombiner.vertex(), ranges.loads().length);
    List<PartitionDivision> divisions = new ArrayList<>();
    ranges
        .sharers()
        .forEach((partition, tasks) -> divisions.add(division(partition, tasks, false)));
    PartitionSet set = new PartitionSet(ranges.perTask(partition -> true), divisions);
    recombiner.aliases().forEach(alias -> set(alias, set));
  }

  private void resize(IRVertex vertex, int tasks) {
    if (DrawnConsumer.tasks(vertex) != tasks) {
      dag = dag.apply(new SetVertexProperty(vertex.id(), new Parallelism(tasks)));
    }
  }

  /** Sets the partitions of an edge, and of the one by which a clone of the consumer reads it. */
  private void set(IREdge edge, PartitionSet set) {
    if (edge.property(PartitionSet.class).filter(set::equals).isPresent()) {
      return;
    }
    dag = dag.apply(new SetEdgeProperty(edge.id(), set));
    for (IREdge other : dag.outgoing(edge.from())) {
      if (other.id().equals(edge.id() + "-sampled")
          && dag.vertex(other.to()) instanceof SampledVertex clone
          && clone.original().equals(edge.to())) {
        dag = dag.apply(new SetEdgeProperty(other.id(), set));
      }
    }
  }
}
