// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import dev.anemone.ir.IRDag;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassOption;
import dev.anemone.passes.Reshaped;
import dev.anemone.passes.ReshapingPass;
import dev.anemone.passes.defaults.ParallelismPass;
import java.util.List;
import java.util.Set;

/**
 * Puts in samplings that measure the shuffles by key while the job runs, one message for each
 * consumer, and recombiners for partitions that will turn out to be too large. After Lee,
 * <i>Dynamic Optimization of Large-Scale Data Shuffling in a Data Processing System</i>, 2019.
 *
 * <pre>
 * before:  lines --> words (8 tasks) --e2 SHUFFLE--> count
 *
 * after:   lines --> words --e2 SHUFFLE--> count    with samplingRate=0.25, measureAllUpTo=1
 *          ^ control dependency
 *          count-sizes-aggregation
 *          ^
 *          lines-sampled --> words-sampled (tasks 2, 6) --> count-sizes-collection-e2
 *
 *          combiner --e2 SHUFFLE--> count                         where combiners were lifted
 *          combiner --e2-divided SHUFFLE--> count-recombiner --count-recombined SHUFFLE--> count
 * </pre>
 *
 * <p>A sample has {@link #SAMPLING_RATE} of the tasks of a stage, evenly spaced, two at least. Of a
 * stage with few tasks ({@link #MEASURE_ALL_UP_TO}) all are measured and none waits: two of eight
 * say little of the others where each has keys of its own, as behind another shuffle, and the
 * engine keeps what sampled tasks write, so that measuring all of them costs nothing. Else the
 * other tasks of the stages that come last before the consumer wait for the message. Of shuffles
 * through a relay that aggregates, what producers send to the relay is measured.
 *
 * <p>A consumer is left alone when it has one task, when one of its shuffles by key was decided
 * already, or cannot be measured. Its combiners must have been lifted before.
 */
public final class SkewSamplingReshapingPass implements ReshapingPass {

  public static final PassOption<Double> SAMPLING_RATE =
      PassOption.number(
          "samplingRate",
          0.001,
          1,
          0.05,
          "part of a stage's tasks that is run first to measure what it shuffles, two tasks at"
              + " least");

  public static final PassOption<Integer> MEASURE_ALL_UP_TO =
      PassOption.wholeNumber(
          "measureAllUpTo",
          1,
          32,
          "number of tasks up to which all tasks of a stage are measured, and none waits");

  @Override
  public Set<String> requires() {
    return Set.of(ParallelismPass.class.getName());
  }

  @Override
  public Set<PassOption<?>> options() {
    return Set.of(SAMPLING_RATE, MEASURE_ALL_UP_TO);
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    return prepared(dag, context).result();
  }

  @Override
  public List<String> notes(IRDag dag, PassContext context) {
    return prepared(dag, context).notes();
  }

  @Override
  public Reshaped reshape(IRDag dag, PassContext context) {
    SkewPreparation prepared = prepared(dag, context);
    return new Reshaped(prepared.result(), prepared.notes());
  }

  private SkewPreparation prepared(IRDag dag, PassContext context) {
    SampleTasks sampling =
        new SampleTasks(context.get(SAMPLING_RATE), context.get(MEASURE_ALL_UP_TO));
    return SkewPreparation.of(dag, name(), sampling);
  }
}
