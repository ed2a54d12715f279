// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.dofn;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.beam.sdk.values.WindowedValue;

/**
 * How a restriction was divided.
 *
 * @param pair the encoded element and restriction; not to be read from, only compared
 * @param processed the parts that the dividing task processes, in this order
 * @param rests what it leaves: pairs of an element and a part, with the state of the estimator
 */
record RestrictionSplit(ByteBuffer pair, List<Object> processed, List<WindowedValue<?>> rests) {

  RestrictionSplit {
    processed = List.copyOf(processed);
    rests = List.copyOf(rests);
  }
}
