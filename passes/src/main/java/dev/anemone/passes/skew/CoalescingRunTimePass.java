// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.message.ShuffleSizes;
import dev.anemone.ir.property.Divisibility;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassOption;
import dev.anemone.passes.RunTimePass;
import dev.anemone.passes.defaults.ParallelismPass;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Gives the partitions of a stage to fewer tasks when its shuffles have brought little, as the
 * adaptive execution of Apache Spark coalesces partitions after a shuffle.
 *
 * <pre>
 * before:  words --SHUFFLE PartitionSet[[0, 1), [1, 2), [2, 3), [3, 4)]--> count (4 tasks)
 *          message: 2 MB, of which 1 MB in partition 3
 *
 * after:   words --SHUFFLE PartitionSet[[0, 3), [3, 4)]--> count (2 tasks)
 * </pre>
 *
 * <p>Each task is to read {@link #MIN_BYTES_PER_SHUFFLE_TASK} on an average, over all shuffles into
 * the stage together, which get the same ranges. More tasks than slots remain a multiple of the
 * slots. A stage never gets more tasks than were planned, and no partition is divided.
 */
public final class CoalescingRunTimePass implements RunTimePass<ShuffleSizes> {

  public static final PassOption<Long> MIN_BYTES_PER_SHUFFLE_TASK =
      PassOption.bytes(
          "minBytesPerShuffleTask",
          1L << 20,
          "bytes that a task reads of shuffles by key at least; a stage for which they turn out to"
              + " bring less runs as fewer tasks than were planned");

  @Override
  public Set<String> requires() {
    return Set.of(CoalescingPass.class.getName());
  }

  @Override
  public Set<PassOption<?>> options() {
    return Set.of(MIN_BYTES_PER_SHUFFLE_TASK);
  }

  @Override
  public Class<ShuffleSizes> messageType() {
    return ShuffleSizes.class;
  }

  @Override
  public IRDag apply(IRDag dag, ShuffleSizes message, PassContext context) {
    Optional<Coalesced> stage = Coalesced.of(dag, message, context);
    return stage.isPresent() ? stage.get().apply(dag, message) : dag;
  }

  @Override
  public List<String> notes(IRDag dag, ShuffleSizes message, PassContext context) {
    return Coalesced.of(dag, message, context).map(stage -> stage.note(message)).stream().toList();
  }

  /** Whether a message is of shuffles that are measured whole, and not of a sample. */
  static boolean isOfWhole(IRDag dag, ShuffleSizes message) {
    return dag.vertices().stream()
        .anyMatch(
            vertex ->
                awaits(vertex, message)
                    || vertex
                        .property(Divisibility.Measured.class)
                        .filter(mark -> mark.messageId().equals(message.messageId()))
                        .isPresent());
  }

  private static boolean awaits(IRVertex vertex, ShuffleSizes message) {
    return vertex
        .property(Parallelism.Coalescing.class)
        .filter(mark -> mark.messageId().equals(message.messageId()))
        .isPresent();
  }

  /**
   * A stage that gets fewer tasks.
   *
   * @param vertices of the stage
   * @param shuffles into it
   * @param before tasks that it has
   * @param after tasks that it gets, fewer
   */
  private record Coalesced(List<IRVertex> vertices, List<IREdge> shuffles, int before, int after) {

    /** The stage that a message is about; empty when it keeps its tasks. */
    static Optional<Coalesced> of(IRDag dag, ShuffleSizes message, PassContext context) {
      List<IRVertex> vertices =
          dag.vertices().stream().filter(vertex -> awaits(vertex, message)).toList();
      if (vertices.isEmpty()
          || !vertices.stream().map(IRVertex::id).allMatch(context.resizableVertices()::contains)) {
        return Optional.empty();
      }
      int before = KeyedConsumer.tasks(vertices.get(0));
      int after = tasks(message, before, context);
      List<IREdge> shuffles =
          vertices.stream()
              .flatMap(vertex -> dag.incoming(vertex.id()).stream())
              .filter(KeyedConsumer::isByKey)
              .toList();
      return after < before
          ? Optional.of(new Coalesced(vertices, shuffles, before, after))
          : Optional.empty();
    }

    private static int tasks(ShuffleSizes message, int before, PassContext context) {
      long worthwhile = Math.round(bytes(message)) / context.get(MIN_BYTES_PER_SHUFFLE_TASK);
      long tasks = ParallelismPass.wholeRounds(Math.max(1, worthwhile), context.slots());
      return (int) Math.min(before, tasks);
    }

    private static double bytes(ShuffleSizes message) {
      double bytes = 0;
      for (int partition = 0; partition < message.partitions(); partition++) {
        bytes += message.estimatedBytes(partition);
      }
      return bytes;
    }

    IRDag apply(IRDag dag, ShuffleSizes message) {
      Workload work = Workload.whole(SizeEstimate.of(message).smoothed());
      PartitionSet ranges =
          new PartitionSet(
              RangeDrawing.draw(work, after).byFallingBytes().perTask(partition -> true));
      IRDag result = dag;
      for (IRVertex vertex : vertices) {
        result = result.apply(new SetVertexProperty(vertex.id(), new Parallelism(after)));
      }
      for (IREdge shuffle : shuffles) {
        result = result.apply(new SetEdgeProperty(shuffle.id(), ranges));
      }
      return result;
    }

    String note(ShuffleSizes message) {
      return before
          + " tasks of "
          + shuffles.get(0).to()
          + " become "
          + after
          + ": they read "
          + RangeNotes.bytes(bytes(message));
    }
  }
}
