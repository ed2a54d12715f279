// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import org.apache.arrow.vector.VectorSchemaRoot;

/** What batches are handed to. */
@FunctionalInterface
public interface BatchReceiver {

  /** Takes a batch, which is reused afterwards. */
  void accept(VectorSchemaRoot batch) throws Exception;
}
