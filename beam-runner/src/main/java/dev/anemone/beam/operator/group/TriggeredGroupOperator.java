// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.group;

import dev.anemone.beam.coder.GroupDecoder;
import dev.anemone.beam.operator.step.JobOptions;
import dev.anemone.beam.operator.step.StepGroupOperator;
import dev.anemone.beam.sideinput.SideInputs;
import dev.anemone.beam.spec.CombineSpec;
import dev.anemone.beam.spec.GroupByKeySpec;
import dev.anemone.beam.spec.GroupingSpec;
import dev.anemone.runtime.spi.KeyGroup;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.ValueCursor;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.model.pipeline.v1.RunnerApi;
import org.apache.beam.runners.core.InMemoryStateInternals;
import org.apache.beam.runners.core.InMemoryTimerInternals;
import org.apache.beam.runners.core.ReduceFnRunner;
import org.apache.beam.runners.core.SystemReduceFn;
import org.apache.beam.runners.core.TimerInternals.TimerData;
import org.apache.beam.runners.core.triggers.ExecutableTriggerStateMachine;
import org.apache.beam.runners.core.triggers.TriggerStateMachines;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.CombineFnBase.GlobalCombineFn;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.util.AppliedCombineFn;
import org.apache.beam.sdk.util.construction.TriggerTranslation;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.joda.time.Instant;

/**
 * Groups or combines values by key and window with any trigger, by Beam's own trigger machinery:
 * all values of a key arrive, then time passes until nothing more can fire; what fired last in a
 * window says so. Holds the values of one key in memory.
 */
public final class TriggeredGroupOperator extends StepGroupOperator {

  private final GroupDecoder decoder;
  private final WindowingStrategy<Object, BoundedWindow> windowing;
  private final SystemReduceFn<Object, Object, ?, Object, BoundedWindow> reduceFn;
  private final List<PCollectionView<?>> views;
  private final RunnerApi.Trigger trigger;
  private PipelineOptions options;
  private SideInputs sideInputs;

  @SuppressWarnings("unchecked") // the pipeline applied it to elements of the right type
  private TriggeredGroupOperator(
      String stepName,
      Coder<?> keyCoder,
      Coder<?> valueCoder,
      WindowingStrategy<?, ?> windowing,
      SystemReduceFn<?, ?, ?, ?, ?> reduceFn,
      List<PCollectionView<?>> views) {
    super(stepName);
    this.decoder =
        new GroupDecoder(
            GroupingSpec.of(windowing),
            keyCoder,
            valueCoder,
            windowing.getWindowFn().windowCoder());
    this.windowing = (WindowingStrategy<Object, BoundedWindow>) windowing;
    this.reduceFn = (SystemReduceFn<Object, Object, ?, Object, BoundedWindow>) reduceFn;
    this.views = views;
    this.trigger = TriggerTranslation.toProto(windowing.getTrigger());
  }

  /** Groups values. */
  public static TriggeredGroupOperator grouping(GroupByKeySpec spec) {
    return new TriggeredGroupOperator(
        spec.stepName(),
        spec.keyCoder(),
        spec.valueCoder(),
        spec.windowing(),
        SystemReduceFn.buffering(spec.valueCoder()),
        List.of());
  }

  /** Combines values. */
  @SuppressWarnings("unchecked") // the pipeline applied it to elements of the right type
  public static TriggeredGroupOperator combining(CombineSpec spec) {
    Coder<Object> keyCoder = (Coder<Object>) spec.coders().key();
    Coder<Object> inputCoder = (Coder<Object>) spec.coders().input();
    GlobalCombineFn<Object, Object, Object> combineFn =
        (GlobalCombineFn<Object, Object, Object>) spec.combineFn();
    return new TriggeredGroupOperator(
        spec.stepName(),
        keyCoder,
        inputCoder,
        spec.windowing(),
        SystemReduceFn.combining(
            keyCoder,
            AppliedCombineFn.withAccumulatorCoder(
                combineFn,
                (Coder<Object>) spec.coders().accumulator(),
                spec.sideInputs(),
                KvCoder.of(keyCoder, inputCoder),
                spec.windowing())),
        spec.sideInputs());
  }

  @Override
  protected void start(OperatorContext context) throws Exception {
    options = JobOptions.of(context);
    sideInputs = new SideInputs(views, context);
  }

  @Override
  protected void process(KeyGroup group) throws Exception {
    Object key = decoder.readKey(group.key());
    InMemoryTimerInternals timers = new InMemoryTimerInternals();
    Instant now = Instant.now();
    timers.advanceProcessingTime(now);
    timers.advanceSynchronizedProcessingTime(now);
    LastPanes panes = new LastPanes(output());
    ReduceFnRunner<Object, Object, Object, BoundedWindow> runner =
        new ReduceFnRunner<>(
            key,
            windowing,
            ExecutableTriggerStateMachine.create(
                TriggerStateMachines.stateMachineForTrigger(trigger)),
            InMemoryStateInternals.forKey(key),
            timers,
            panes,
            sideInputs,
            reduceFn,
            options);
    runner.processElements(readAll(group.valuesOnce()));
    timers.advanceInputWatermark(BoundedWindow.TIMESTAMP_MAX_VALUE);
    timers.advanceProcessingTime(BoundedWindow.TIMESTAMP_MAX_VALUE);
    timers.advanceSynchronizedProcessingTime(BoundedWindow.TIMESTAMP_MAX_VALUE);
    for (List<TimerData> due = due(timers); !due.isEmpty(); due = due(timers)) {
      runner.onTimers(due);
    }
    runner.persist();
    panes.end();
  }

  private List<WindowedValue<Object>> readAll(ValueCursor cursor) throws Exception {
    List<WindowedValue<Object>> elements = new ArrayList<>();
    while (cursor.next()) {
      elements.add(decoder.readElement(cursor.value()));
    }
    return elements;
  }

  private static List<TimerData> due(InMemoryTimerInternals timers) {
    List<TimerData> due = new ArrayList<>();
    for (TimerData timer = timers.removeNextEventTimer();
        timer != null;
        timer = timers.removeNextEventTimer()) {
      due.add(timer);
    }
    for (TimerData timer = timers.removeNextProcessingTimer();
        timer != null;
        timer = timers.removeNextProcessingTimer()) {
      due.add(timer);
    }
    for (TimerData timer = timers.removeNextSynchronizedProcessingTimer();
        timer != null;
        timer = timers.removeNextSynchronizedProcessingTimer()) {
      due.add(timer);
    }
    return due;
  }
}
