// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.Decompression;
import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.Property;
import java.util.Set;

/** The edge properties that only the consumer looks at, so that the producer may have started. */
final class ConsumerSide {

  private static final Set<Class<? extends Property>> TYPES =
      Set.of(PartitionSet.class, Decoder.class, Decompression.class);

  private ConsumerSide() {}

  static boolean owns(EdgeProperty property) {
    return TYPES.contains(property.type());
  }
}
