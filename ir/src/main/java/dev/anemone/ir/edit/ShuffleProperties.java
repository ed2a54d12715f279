// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Divisibility;
import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.KeyEncoder;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.Partitioner;
import java.util.List;

/** What only shuffles have. */
final class ShuffleProperties {

  private static final List<Class<? extends EdgeProperty>> ALL =
      List.of(
          Order.class,
          KeyExtractor.class,
          KeyEncoder.class,
          Partitioner.class,
          PartitionSet.class,
          Divisibility.class);

  private ShuffleProperties() {}

  /** A shuffle as an edge of another pattern. */
  static IREdge replaced(IREdge shuffle, CommunicationPattern pattern) {
    ExecutionProperties<EdgeProperty> properties = shuffle.properties();
    for (Class<? extends EdgeProperty> type : ALL) {
      properties = properties.without(type);
    }
    return shuffle.withProperties(properties.with(pattern));
  }
}
