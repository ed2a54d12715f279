// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.combine;

import dev.anemone.beam.operator.combine.AccumulatorTable.Entry;
import dev.anemone.beam.operator.group.OutputTimestamps;
import dev.anemone.beam.operator.step.JobOptions;
import dev.anemone.beam.operator.step.StepElementOperator;
import dev.anemone.beam.operator.step.Windows;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.beam.spec.CombineSpec;
import dev.anemone.runtime.spi.OperatorContext;
import java.util.Optional;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.joda.time.Instant;

/**
 * Combines the values of a task before they are shuffled: one accumulator for each key and window,
 * in a hash table that is emptied into the output when it grows beyond its memory. The output is
 * therefore right wherever the table was emptied, since accumulators of a key are merged later.
 * Sums of whole numbers by short texts have a table that takes less, see {@link ShortTextSums}.
 * Where keys hardly repeat, most records become an accumulator without the table, see {@link
 * KeyRepetition}.
 */
final class PartialCombineOperator extends StepElementOperator {

  /** The share of a task's memory that accumulators may take. */
  private static final int MEMORY_SHARE = 4;

  private static final Counter PASSED = Metrics.counter("dev.anemone.combine", "passedThrough");

  private final CombineSpec spec;
  private final OutputTimestamps timestamps;
  private final boolean keepsTimestamps;
  private CombineFunction function;
  private final PendingAdditions.Adder adder = this::add;
  private AccumulatorTable table;
  private PendingAdditions pending;
  private Optional<WholeNumberSum> sum = Optional.empty();
  private final ShortTextSums.Listener sumListener = this::addedToSum;
  private ShortTextSums sums;

  /** That of all {@link #sums}, null before the first. */
  private BoundedWindow windowOfSums;

  private KeyRepetition repetition;

  PartialCombineOperator(CombineSpec spec) {
    super(spec.stepName());
    this.spec = spec;
    this.timestamps = new OutputTimestamps(spec.windowing());
    this.keepsTimestamps = timestamps.dependOnElements();
  }

  @Override
  protected void start(OperatorContext context) throws Exception {
    function = new CombineFunction(spec, context);
    sum = keepsTimestamps ? Optional.empty() : WholeNumberSum.of(spec.combineFn());
    long memoryBytes = context.memoryBudgetBytes() / MEMORY_SHARE;
    long bytesOfSums = sum.isPresent() ? memoryBytes / 2 : 0;
    sums = new ShortTextSums(bytesOfSums);
    table =
        new AccumulatorTable(
            spec.coders().key(), spec.coders().accumulator(), memoryBytes - bytesOfSums);
    pending = new PendingAdditions(table);
    repetition =
        new KeyRepetition(
            JobOptions.of(context).as(NemoPipelineOptions.class).getCombineAlonePercent());
  }

  @Override
  protected void process(WindowedValue<Object> element) throws Exception {
    if (Windows.isSingle(element)) {
      add(element, Windows.single(element));
    } else {
      for (BoundedWindow window : element.getWindows()) {
        add(element, window);
      }
    }
  }

  private void add(WindowedValue<Object> element, BoundedWindow window) throws Exception {
    KV<?, ?> kv = (KV<?, ?>) element.getValue();
    if (repetition.passesNext()) {
      function.enter(window);
      emit(
          kv.getKey(),
          function.add(function.create(), kv.getValue()),
          window,
          timestamps.of(window, element.getTimestamp()));
      return;
    }
    if (sum.isPresent() && isAddedToSums(sum.get(), window, kv)) {
      return;
    }
    if (!PendingAdditions.isSmall(kv.getKey(), kv.getValue())) {
      add(table.entry(window, kv.getKey()), kv.getValue(), element.getTimestamp());
    } else if (pending.put(window, kv.getKey(), kv.getValue(), element.getTimestamp())) {
      pending.addAll(adder);
    }
  }

  /** Adds a value to the sum of its key, if it has one; says whether it has. */
  private boolean isAddedToSums(WholeNumberSum of, BoundedWindow window, KV<?, ?> kv)
      throws Exception {
    if (windowOfSums == null) {
      windowOfSums = window;
    }
    Object key = kv.getKey();
    if (!(key instanceof String) || !window.equals(windowOfSums) || !of.adds(kv.getValue())) {
      return false;
    }
    long tag = KeyTag.of(key);
    // Where the coder takes other texts for equal, the text is not the key.
    if (!KeyTag.isKey(tag) || table.structuralKey(key) != key) {
      return false;
    }
    if (sums.put(tag, of.summand(kv.getValue()))) {
      addSums();
    }
    return true;
  }

  private void addSums() throws Exception {
    sums.addAll(sumListener);
    if (sums.isFull()) {
      flushSums();
    }
  }

  private void addedToSum(boolean isNew) throws Exception {
    if (repetition.passesAfter(isNew)) {
      flush();
    }
  }

  /** Returns whether the table was emptied after it. */
  private boolean add(Entry entry, Object value, Instant timestamp) throws Exception {
    function.enter(entry.window());
    boolean isAlone = entry.isNew();
    if (isAlone) {
      entry.setAccumulator(function.create());
    }
    entry.setAccumulator(function.add(entry.accumulator(), value));
    if (keepsTimestamps) {
      entry.setTimestamp(timestamps.add(entry.timestamp(), timestamp));
    }
    boolean isFull = table.isFullAfter(entry);
    boolean isEmptied = repetition.passesAfter(isAlone) || isFull;
    if (isEmptied) {
      flush();
    }
    return isEmptied;
  }

  private void flush() throws Exception {
    flushSums();
    for (Entry entry : table.entries()) {
      function.enter(entry.window());
      emit(
          entry.key(),
          entry.accumulator(),
          entry.window(),
          timestamps.of(entry.window(), entry.timestamp()));
    }
    table.clear();
  }

  private void flushSums() throws Exception {
    if (windowOfSums == null) {
      return;
    }
    function.enter(windowOfSums);
    Instant timestamp = timestamps.of(windowOfSums, null);
    sums.forEach(
        (text, value) -> emit(text, sum.get().accumulator(value), windowOfSums, timestamp));
    sums.clear();
  }

  /** Puts an accumulator out; the function has entered its window. */
  private void emit(Object key, Object accumulator, BoundedWindow window, Instant timestamp)
      throws Exception {
    output()
        .accept(
            WindowedValues.of(
                KV.of(key, function.compact(accumulator)), timestamp, window, PaneInfo.NO_FIRING));
  }

  @Override
  protected void end() throws Exception {
    pending.addAll(adder);
    addSums();
    flush();
    if (repetition.passed() > 0) {
      PASSED.inc(repetition.passed());
    }
  }
}
