// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import dev.anemone.beam.coder.GroupDecoder;
import dev.anemone.beam.operator.dofn.TimeOrder;
import dev.anemone.beam.operator.step.JobOptions;
import dev.anemone.beam.spec.GroupingSpec;
import dev.anemone.portability.options.PortabilityOptions;
import dev.anemone.runtime.spi.GroupOperator;
import dev.anemone.runtime.spi.KeyGroup;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.ValueCursor;
import java.util.Optional;
import org.apache.beam.model.pipeline.v1.RunnerApi.ParDoPayload;
import org.apache.beam.runners.fnexecution.control.TimerReceiverFactory;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;

/**
 * A stage with state or timers. Its keys are processed some at a time: their elements in one
 * bundle, then the timers that have been set, in further bundles until no timer is left; then the
 * end of their windows, and their state is forgotten.
 */
final class KeyedStageOperator implements GroupOperator {

  /** The part of the task's memory that state may have. */
  private static final int MEMORY_SHARES = 4;

  private final StageSpec spec;
  private final GroupDecoder decoder;
  private KeyedState state;
  private StageTimers timers;
  private WindowEnds ends;
  private Optional<TimeOrder> timeOrder = Optional.empty();
  private TimerReceiverFactory timerReceivers;
  private StageRun run;
  private int keysPerBundle;
  private int keys;

  KeyedStageOperator(StageSpec spec) {
    this.spec = spec;
    this.decoder =
        new GroupDecoder(
            GroupingSpec.ofWholeKeys(),
            spec.keys().coder().getKeyCoder(),
            spec.keys().coder().getValueCoder(),
            spec.keys().windowCoder());
  }

  @Override
  public void open(OperatorContext context) throws Exception {
    keysPerBundle = PortabilityOptions.keysPerBundle(JobOptions.of(context));
    state =
        new KeyedState(
            context.newSpillFile(),
            context.memoryBudgetBytes() / MEMORY_SHARES,
            MapValues.of(spec.stage()));
    run = StageRun.open(spec, context, Optional.of(state));
    if (StageFunctions.of(spec.stage()).anyMatch(ParDoPayload::getRequiresTimeSortedInput)) {
      timeOrder = Optional.of(TimeOrder.of(decoder, context));
    }
    ends = WindowEnds.of(spec.stage(), spec.keys().windowCoder());
    timers = new StageTimers(spec.keys().coder().getKeyCoder());
    timerReceivers =
        new TimerReceiverFactory(run.bundles(), timers::set, spec.keys().windowCoder());
  }

  @Override
  public void acceptGroup(KeyGroup group) throws Exception {
    if (!run.isInBundle()) {
      run.begin(timerReceivers);
    }
    Object key = decoder.readKey(group.key());
    ends.beginKey(key);
    if (timeOrder.isPresent()) {
      timeOrder.get().forEach(group.replayableValues(), value -> send(key, value));
    } else {
      ValueCursor values = group.valuesOnce();
      while (values.next()) {
        send(key, decoder.readElement(values.value()));
      }
    }
    keys++;
    if (keys >= keysPerBundle || state.isHeapFull()) {
      endKeys();
    }
  }

  private void send(Object key, WindowedValue<Object> value) throws Exception {
    ends.see(value);
    run.send(value.withValue(KV.of(key, value.getValue())));
  }

  private void endKeys() throws Exception {
    run.end();
    fireTimers();
    ends.endAll(timers);
    fireTimers();
    state.clear();
    timers.clear();
    keys = 0;
  }

  private void fireTimers() throws Exception {
    while (timers.isAnySet()) {
      run.begin(timerReceivers);
      run.fire(timers);
      run.end();
    }
  }

  @Override
  public void finish() throws Exception {
    if (run.isInBundle()) {
      endKeys();
    }
    run.finish();
  }

  @Override
  public void close() throws Exception {
    try (KeyedState closed = state) {
      if (run != null) {
        run.close();
      }
    }
  }
}
