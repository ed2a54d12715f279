// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.combine;

import dev.anemone.beam.coder.GroupDecoder;
import dev.anemone.beam.operator.group.OutputTimestamps;
import dev.anemone.beam.spec.CombineSpec;
import dev.anemone.beam.spec.GroupingSpec;
import dev.anemone.runtime.spi.RecordCombiner;
import dev.anemone.runtime.spi.TaskContext;
import dev.anemone.runtime.spi.ValueCursor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.joda.time.Instant;

/** Merges the accumulators of a key and window that meet while runs are merged. */
public final class AccumulatorCombiner implements RecordCombiner {

  private final GroupDecoder decoder;
  private final OutputTimestamps timestamps;
  private final CombineFunction function;
  private final Coder<Object> accumulatorCoder;
  private List<Object> pair = new ArrayList<>(2);

  @SuppressWarnings("unchecked") // the coder is that of the function's accumulators
  private AccumulatorCombiner(CombineSpec spec, GroupingSpec grouping, TaskContext context)
      throws Exception {
    this.decoder =
        new GroupDecoder(
            grouping,
            spec.coders().key(),
            spec.coders().accumulator(),
            spec.windowing().getWindowFn().windowCoder());
    this.timestamps = new OutputTimestamps(spec.windowing());
    this.function = CombineFunction.withoutSideInputs(spec, context);
    this.accumulatorCoder = (Coder<Object>) spec.coders().accumulator();
  }

  /**
   * A combiner of what the partial half of a combine makes. There is none for functions that read
   * side inputs, which belong to an operator, and none for windows that merge.
   */
  public static Optional<RecordCombiner> of(CombineSpec spec, TaskContext context)
      throws Exception {
    GroupingSpec grouping = GroupingSpec.of(spec.windowing());
    if (spec.phase() == CombineSpec.Phase.WHOLE
        || grouping.mode() == GroupingSpec.Mode.MERGING
        || !spec.sideInputs().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new AccumulatorCombiner(spec, grouping, context));
  }

  @Override
  public void combine(InputStream key, ValueCursor values, OutputStream combined) throws Exception {
    enterWindow(key);
    boolean timed = decoder.grouping().timestamps();
    Instant timestamp = null;
    Object accumulator = null;
    boolean first = true;
    while (values.next()) {
      InputStream value = values.value();
      if (timed) {
        timestamp = timestamps.add(timestamp, decoder.readTimestamp(value));
      }
      Object next = decoder.readValue(value);
      accumulator = first ? next : merge(accumulator, next);
      first = false;
    }
    if (timed) {
      decoder.writeTimestamp(timestamp, combined);
    }
    accumulatorCoder.encode(function.compact(accumulator), combined);
  }

  private void enterWindow(InputStream key) throws IOException {
    if (decoder.grouping().mode() == GroupingSpec.Mode.WINDOW_IN_KEY) {
      decoder.readKey(key);
    }
    BoundedWindow window = decoder.readWindow(key);
    function.enter(window);
  }

  private Object merge(Object one, Object other) {
    pair.add(one);
    pair.add(other);
    List<Object> merging = pair;
    // A new list: the function may keep the one it is given.
    pair = new ArrayList<>(2);
    return function.merge(merging);
  }
}
