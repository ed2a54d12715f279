// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.UnreadableBlockException;
import java.io.IOException;

/** A producer's block cannot be read where it lies; running the producer again helps. */
public class LostBlockException extends UnreadableBlockException {

  private static final long serialVersionUID = 1L;

  /** Says which block, and why. */
  public LostBlockException(BlockId block, IOException cause) {
    super(block, "block " + block + " cannot be read: " + cause.getMessage(), cause);
  }
}
