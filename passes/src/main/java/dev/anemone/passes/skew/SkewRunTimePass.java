// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.message.ShuffleSizes;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassOption;
import dev.anemone.passes.RunTimePass;
import java.util.List;
import java.util.Set;

/**
 * Draws the ranges of a consumer anew from the sizes that a sample of its producers has measured,
 * so that its tasks read about equally many bytes. After Lee, <i>Dynamic Optimization of
 * Large-Scale Data Shuffling in a Data Processing System</i>, 2019.
 *
 * <pre>
 * before:  orders --e1 SHUFFLE Hash(4) PartitionSet[[0, 4), [4, 8)]--> count
 *          message: 90 % of the bytes in partition 0
 *
 * after:   orders --e1 SHUFFLE Hash(4) PartitionSet[[0, 1), [1, 8)]--> count
 * </pre>
 *
 * <ul>
 *   <li>All shuffles by key into one stage get the same ranges. Tasks are numbered by falling
 *       bytes, so that the largest is started first (Graham, 1969).
 *   <li>A partition that is too large is divided by who wrote it, if that keeps the meaning of the
 *       program: of a join one side, whose edge is {@link
 *       dev.anemone.ir.property.Divisibility#DIVISIBLE}, is divided and the others are read by each
 *       task (as Apache Spark 3 does); accumulators go to the tasks of a recombiner, see {@link
 *       dev.anemone.ir.edit.InsertRecombiner}.
 *   <li>A stage that may lose tasks gets as many as {@link
 *       dev.anemone.passes.defaults.ParallelismPass} gives for the bytes that were measured, and
 *       never more than it has.
 *   <li>Where the ranges that are there are as good, they stay.
 * </ul>
 */
public final class SkewRunTimePass implements RunTimePass<ShuffleSizes> {

  @Override
  public Set<String> requires() {
    return Set.of(SkewSamplingPass.class.getName());
  }

  @Override
  public Set<PassOption<?>> options() {
    return TaskSizing.OPTIONS;
  }

  @Override
  public Class<ShuffleSizes> messageType() {
    return ShuffleSizes.class;
  }

  @Override
  public IRDag apply(IRDag dag, ShuffleSizes message, PassContext context) {
    return CoalescingRunTimePass.isOfWhole(dag, message)
            || DrawnConsumer.obstacle(dag, message).isPresent()
        ? dag
        : RangeEdits.apply(RangePlan.of(dag, message, context), dag);
  }

  @Override
  public List<String> notes(IRDag dag, ShuffleSizes message, PassContext context) {
    if (CoalescingRunTimePass.isOfWhole(dag, message)) {
      return List.of();
    }
    return DrawnConsumer.obstacle(dag, message)
        .map(reason -> List.of("no ranges are drawn by " + message.messageId() + ": " + reason))
        .orElseGet(() -> RangeNotes.of(RangePlan.of(dag, message, context), message));
  }
}
