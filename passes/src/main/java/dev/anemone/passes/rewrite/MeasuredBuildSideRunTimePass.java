// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.rewrite;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.message.ShuffleSizes;
import dev.anemone.ir.property.Divisibility;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassOption;
import dev.anemone.passes.RunTimePass;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Broadcasts the side of a join that turns out to be small when all of both has been written for a
 * shuffle: each task of the join reads all of it, and of the other side what certain tasks wrote,
 * all keys of that. A hot key does no harm then, each block of the large side is read in one piece
 * by one task, and from its own disk if the task runs where it was written. The <i>local shuffle
 * reader</i> of adaptive query execution (Apache Spark 3) reads so, too.
 *
 * <pre>
 * before:  x0 --e1 SHUFFLE PartitionSet[[0, 1), [1, 2)]--> join (2 tasks)
 *          x1 --e2 SHUFFLE PartitionSet[[0, 1), [1, 2)]--> join
 *          message: 300 MB over e1, 1 MB over e2
 *
 * after:   x0 --e1 SHUFFLE PartitionSet[[0, 2) | [0, 2); [0, 2) divided among 0, 1]--> join
 *          x1 --e2 SHUFFLE PartitionSet[[0, 2) | [0, 2); [0, 2) replicated to 0, 1]--> join
 * </pre>
 *
 * <p>Of a stage that may lose tasks so many remain, but no fewer than there are slots, that each
 * reads what equally many have made. A side is small if it has no more than {@link
 * BuildSidePass#BROADCAST_JOIN_BYTES}. Sides stay partitioned where all of them are small or
 * several are not, where the query may give other rows on pieces of the large one, where fewer
 * tasks have made that than join it, or so many that shares would be less even than the ranges that
 * are there, and where all tasks together would read more of the small sides than there is of the
 * large one.
 */
public final class MeasuredBuildSideRunTimePass implements RunTimePass<ShuffleSizes> {

  @Override
  public Set<String> requires() {
    return Set.of(MeasuredBuildSidePass.class.getName());
  }

  @Override
  public Set<PassOption<?>> options() {
    return Set.of(BuildSidePass.BROADCAST_JOIN_BYTES);
  }

  @Override
  public Class<ShuffleSizes> messageType() {
    return ShuffleSizes.class;
  }

  @Override
  public IRDag apply(IRDag dag, ShuffleSizes message, PassContext context) {
    Optional<MeasuredJoin> join = join(dag, message, context);
    return join.isPresent() && join.get().reasonToShuffle(most(context)).isEmpty()
        ? join.get().broadcast(dag)
        : dag;
  }

  @Override
  public List<String> notes(IRDag dag, ShuffleSizes message, PassContext context) {
    return join(dag, message, context).map(join -> join.note(most(context))).stream().toList();
  }

  private static long most(PassContext context) {
    return context.get(BuildSidePass.BROADCAST_JOIN_BYTES);
  }

  private static Optional<MeasuredJoin> join(IRDag dag, ShuffleSizes message, PassContext context) {
    for (IRVertex vertex : dag.vertices()) {
      boolean awaits =
          vertex
              .property(Divisibility.Measured.class)
              .filter(mark -> mark.messageId().equals(message.messageId()))
              .isPresent();
      if (awaits) {
        return MeasuredJoin.of(dag, vertex, message, context);
      }
    }
    return Optional.empty();
  }
}
