// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

import java.util.List;
import java.util.Objects;

/**
 * The consumer of this edge reads what the producer writes for another edge, and nothing is written
 * for this one. Apache Nemo calls such edges a duplicate edge group.
 *
 * @param edgeId the edge for which the data is written
 */
public record SharedOutput(String edgeId) implements EdgeProperty {

  /** What must be alike on edges that share: how data is partitioned, laid out and kept. */
  public static final List<Class<? extends EdgeProperty>> ALIKE =
      List.of(
          CommunicationPattern.class,
          KeyExtractor.class,
          KeyEncoder.class,
          Order.class,
          Partitioner.class,
          Encoder.class,
          Compression.class,
          DataStore.class);

  public SharedOutput {
    Objects.requireNonNull(edgeId, "edgeId");
  }
}
