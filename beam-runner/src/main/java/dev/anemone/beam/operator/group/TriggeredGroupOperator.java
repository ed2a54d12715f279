// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.group;

import dev.anemone.beam.coder.GroupDecoder;
import dev.anemone.beam.operator.step.JobOptions;
import dev.anemone.beam.operator.step.StepGroupOperator;
import dev.anemone.beam.operator.step.Windows;
import dev.anemone.beam.sideinput.SideInputs;
import dev.anemone.beam.spec.CombineSpec;
import dev.anemone.beam.spec.GroupByKeySpec;
import dev.anemone.beam.spec.GroupingSpec;
import dev.anemone.runtime.spi.KeyGroup;
import dev.anemone.runtime.spi.KeyGroup.ReplayableValues;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.Receiver;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.beam.model.pipeline.v1.RunnerApi;
import org.apache.beam.runners.core.InMemoryStateInternals;
import org.apache.beam.runners.core.InMemoryTimerInternals;
import org.apache.beam.runners.core.ReduceFnRunner;
import org.apache.beam.runners.core.SystemReduceFn;
import org.apache.beam.runners.core.TimerInternals.TimerData;
import org.apache.beam.runners.core.triggers.ExecutableTriggerStateMachine;
import org.apache.beam.runners.core.triggers.TriggerStateMachines;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderRegistry;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.Combine;
import org.apache.beam.sdk.transforms.CombineFnBase.GlobalCombineFn;
import org.apache.beam.sdk.transforms.Sum;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.util.AppliedCombineFn;
import org.apache.beam.sdk.util.construction.TriggerTranslation;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.joda.time.Instant;

/**
 * Groups or combines values by key and window with any trigger, by Beam's own trigger machinery:
 * all values of a key arrive, then time passes until nothing more can fire; what fired last in a
 * window says so.
 *
 * <p>Holds no values: what is combined is decoded one by one. To group, values are counted, as all
 * are there before the first firing: a pane has all values of its window, or none when they were
 * discarded, and gets them when all panes of the key are known.
 */
public final class TriggeredGroupOperator extends StepGroupOperator {

  private final GroupDecoder decoder;
  private final WindowingStrategy<Object, BoundedWindow> windowing;
  private final SystemReduceFn<Object, Object, ?, Object, BoundedWindow> reduceFn;
  private final List<PCollectionView<?>> views;
  private final boolean groups;
  private final OutputTimestamps timestamps;
  private final RunnerApi.Trigger trigger;
  private PipelineOptions options;
  private SideInputs sideInputs;
  private WindowBatches batches;

  @SuppressWarnings("unchecked") // the pipeline applied it to elements of the right type
  private TriggeredGroupOperator(
      String stepName,
      Coder<?> keyCoder,
      Coder<?> valueCoder,
      WindowingStrategy<?, ?> windowing,
      SystemReduceFn<?, ?, ?, ?, ?> reduceFn,
      List<PCollectionView<?>> views,
      boolean groups) {
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
    this.groups = groups;
    this.timestamps = new OutputTimestamps(windowing);
    this.trigger = TriggerTranslation.toProto(windowing.getTrigger());
  }

  /** Groups values. */
  @SuppressWarnings("unchecked") // the pipeline applied it to elements of the right type
  public static TriggeredGroupOperator grouping(GroupByKeySpec spec) {
    Coder<Object> keyCoder = (Coder<Object>) spec.keyCoder();
    Combine.BinaryCombineLongFn count = Sum.ofLongs();
    return new TriggeredGroupOperator(
        spec.stepName(),
        keyCoder,
        spec.valueCoder(),
        spec.windowing(),
        SystemReduceFn.combining(
            keyCoder,
            AppliedCombineFn.withAccumulatorCoder(
                count,
                count.getAccumulatorCoder(CoderRegistry.createDefault(), VarLongCoder.of()),
                List.of(),
                KvCoder.of(keyCoder, VarLongCoder.of()),
                spec.windowing())),
        List.of(),
        true);
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
        spec.sideInputs(),
        false);
  }

  @Override
  protected void start(OperatorContext context) throws Exception {
    options = JobOptions.of(context);
    sideInputs = new SideInputs(views, context);
    batches = new WindowBatches(decoder, context.memoryBudgetBytes());
  }

  @Override
  protected void process(KeyGroup group) throws Exception {
    Object key = decoder.readKey(group.key());
    ReplayableValues values = group.replayableValues();
    if (!groups) {
      fire(key, new Elements(values, decoder::readElement), output());
      return;
    }
    Map<BoundedWindow, List<WindowedValue<KV<Object, Object>>>> panes = new HashMap<>();
    fire(key, new Elements(values, this::readAsOne), pane -> keep(pane, panes));
    MergedGroup merged = MergedGroup.read(values, decoder, windowing, timestamps);
    batches.forEach(
        values,
        merged,
        (content, inWindow) -> {
          for (WindowedValue<KV<Object, Object>> pane :
              panes.getOrDefault(content.window(), List.of())) {
            boolean empty = pane.getValue().getValue().equals(0L);
            output().accept(pane.withValue(KV.of(key, empty ? List.of() : inWindow)));
          }
        });
  }

  private WindowedValue<Object> readAsOne(InputStream value) throws IOException {
    return decoder.readMetadata(value).withValue(1L);
  }

  private static void keep(
      Object pane, Map<BoundedWindow, List<WindowedValue<KV<Object, Object>>>> panes) {
    @SuppressWarnings("unchecked") // what this operator's own function counts
    WindowedValue<KV<Object, Object>> counted = (WindowedValue<KV<Object, Object>>) pane;
    panes.computeIfAbsent(Windows.single(counted), window -> new ArrayList<>()).add(counted);
  }

  /** Lets all elements of a key arrive, and then all time pass. */
  private void fire(Object key, Iterable<WindowedValue<Object>> elements, Receiver receiver)
      throws Exception {
    InMemoryTimerInternals timers = new InMemoryTimerInternals();
    Instant now = Instant.now();
    timers.advanceProcessingTime(now);
    timers.advanceSynchronizedProcessingTime(now);
    LastPanes panes = new LastPanes(receiver);
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
    runner.processElements(elements);
    timers.advanceInputWatermark(BoundedWindow.TIMESTAMP_MAX_VALUE);
    timers.advanceProcessingTime(BoundedWindow.TIMESTAMP_MAX_VALUE);
    timers.advanceSynchronizedProcessingTime(BoundedWindow.TIMESTAMP_MAX_VALUE);
    for (List<TimerData> due = due(timers); !due.isEmpty(); due = due(timers)) {
      runner.onTimers(due);
    }
    runner.persist();
    panes.end();
  }

  /** The elements of a key, decoded anew for each pass over them. */
  private record Elements(ReplayableValues values, Reader reader)
      implements Iterable<WindowedValue<Object>> {

    /** Reads an element. */
    @FunctionalInterface
    interface Reader {
      WindowedValue<Object> read(InputStream value) throws IOException;
    }

    @Override
    @SuppressWarnings("unchecked") // the reader reads elements
    public Iterator<WindowedValue<Object>> iterator() {
      return (Iterator<WindowedValue<Object>>)
          (Iterator<?>) new GroupValues(values, reader::read).iterator();
    }
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
