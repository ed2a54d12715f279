// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import dev.anemone.runtime.store.BlockWriter;
import java.io.IOException;

/** Begins the block for what cannot be pushed. */
@FunctionalInterface
public interface BlockWriterSupplier {

  /**
   * A writer with {@link dev.anemone.runtime.store.WriteOrder#ANY}. Called at most once. Who
   * supplies it commits and closes it.
   */
  BlockWriter open() throws IOException;
}
