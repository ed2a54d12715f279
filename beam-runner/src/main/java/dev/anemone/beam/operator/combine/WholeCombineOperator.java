// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.combine;

import dev.anemone.beam.spec.CombineSpec;
import dev.anemone.runtime.spi.KeyGroup;
import dev.anemone.runtime.spi.ValueCursor;
import java.io.InputStream;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.joda.time.Instant;

/** Combines all values of a key and window, one after the other. */
final class WholeCombineOperator extends CombineGroupOperator {

  WholeCombineOperator(CombineSpec spec) {
    super(spec, spec.coders().input());
  }

  @Override
  protected void process(KeyGroup group) throws Exception {
    InputStream keyBytes = group.key();
    Object key = decoder.readKey(keyBytes);
    BoundedWindow window = decoder.readWindow(keyBytes);
    function.enter(window);
    Instant timestamp = null;
    Object accumulator = function.create();
    ValueCursor cursor = group.valuesOnce();
    while (cursor.next()) {
      InputStream value = cursor.value();
      if (decoder.grouping().timestamps()) {
        timestamp = timestamps.add(timestamp, decoder.readTimestamp(value));
      }
      accumulator = function.add(accumulator, decoder.readValue(value));
    }
    output().accept(result(key, window, timestamp, accumulator));
  }
}
