// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.group;

import dev.anemone.beam.coder.GroupDecoder;
import dev.anemone.beam.operator.step.StepGroupOperator;
import dev.anemone.beam.spec.GroupByKeySpec;
import dev.anemone.beam.spec.GroupingSpec;
import dev.anemone.runtime.spi.KeyGroup;
import dev.anemone.runtime.spi.KeyGroup.ReplayableValues;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.ValueCursor;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValues;
import org.joda.time.Instant;

/**
 * Groups values by key where a record's key says the window, too. A small group becomes a list, a
 * large one is decoded while it is iterated, so that the heap need not hold it.
 */
public final class GroupByKeyOperator extends StepGroupOperator {

  /** Groups up to this many values, and this many bytes, become lists. */
  private static final int LIST_VALUES = 1_000;

  private static final int LIST_BYTES = 64 * 1024;

  private final GroupDecoder decoder;
  private final OutputTimestamps timestamps;

  public GroupByKeyOperator(GroupByKeySpec spec) {
    super(spec.stepName());
    this.decoder =
        new GroupDecoder(
            GroupingSpec.of(spec.windowing()),
            spec.keyCoder(),
            spec.valueCoder(),
            spec.windowing().getWindowFn().windowCoder());
    this.timestamps = new OutputTimestamps(spec.windowing());
  }

  @Override
  protected void start(OperatorContext context) {}

  @Override
  protected void process(KeyGroup group) throws Exception {
    InputStream keyBytes = group.key();
    Object key = decoder.readKey(keyBytes);
    BoundedWindow window = decoder.readWindow(keyBytes);

    ReplayableValues replayable = group.replayableValues();
    ValueCursor cursor = replayable.cursor();
    List<Object> list = new ArrayList<>();
    Instant timestamp = null;
    long bytes = 0;
    boolean small = true;
    while (small && cursor.next()) {
      InputStream value = cursor.value();
      bytes += value.available();
      timestamp = addTimestamp(timestamp, value);
      list.add(decoder.readValue(value));
      small = list.size() < LIST_VALUES && bytes < LIST_BYTES;
    }
    if (small) {
      emit(key, window, timestamp, Collections.unmodifiableList(list));
      return;
    }
    if (timestamps.dependOnElements()) {
      while (cursor.next()) {
        timestamp = addTimestamp(timestamp, cursor.value());
      }
    }
    GroupValues values = new GroupValues(replayable, this::readValue);
    try {
      emit(key, window, timestamp, values);
    } finally {
      values.end();
    }
  }

  private Instant addTimestamp(Instant sofar, InputStream value) throws IOException {
    return decoder.grouping().timestamps()
        ? timestamps.add(sofar, decoder.readTimestamp(value))
        : null;
  }

  private Object readValue(InputStream value) throws IOException {
    if (decoder.grouping().timestamps()) {
      decoder.readTimestamp(value);
    }
    return decoder.readValue(value);
  }

  private void emit(Object key, BoundedWindow window, Instant timestamp, Iterable<Object> values)
      throws Exception {
    output()
        .accept(
            WindowedValues.of(
                KV.of(key, values),
                timestamps.of(window, timestamp),
                window,
                PaneInfo.ON_TIME_AND_ONLY_FIRING));
  }
}
