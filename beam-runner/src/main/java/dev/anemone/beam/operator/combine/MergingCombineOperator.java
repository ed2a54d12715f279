// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.combine;

import dev.anemone.beam.spec.CombineSpec;
import dev.anemone.runtime.spi.KeyGroup;
import dev.anemone.runtime.spi.ValueCursor;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.joda.time.Instant;

/**
 * Merges the accumulators that the partial halves made of a key's values, a few at a time, and
 * extracts the result.
 */
final class MergingCombineOperator extends CombineGroupOperator {

  /** How many accumulators are held at a time. */
  private static final int BATCH = 10;

  MergingCombineOperator(CombineSpec spec) {
    super(spec, spec.coders().accumulator());
  }

  @Override
  protected void process(KeyGroup group) throws Exception {
    InputStream keyBytes = group.key();
    Object key = decoder.readKey(keyBytes);
    BoundedWindow window = decoder.readWindow(keyBytes);
    function.enter(window);
    Instant timestamp = null;
    List<Object> accumulators = new ArrayList<>(BATCH);
    ValueCursor cursor = group.valuesOnce();
    while (cursor.next()) {
      InputStream value = cursor.value();
      if (decoder.grouping().timestamps()) {
        timestamp = timestamps.add(timestamp, decoder.readTimestamp(value));
      }
      if (accumulators.size() == BATCH) {
        Object merged = function.merge(accumulators);
        // A new list: the function may have kept the one it was given.
        accumulators = new ArrayList<>(BATCH);
        accumulators.add(merged);
      }
      accumulators.add(decoder.readValue(value));
    }
    Object accumulator =
        accumulators.size() == 1 ? accumulators.get(0) : function.merge(accumulators);
    output().accept(result(key, window, timestamp, accumulator));
  }
}
