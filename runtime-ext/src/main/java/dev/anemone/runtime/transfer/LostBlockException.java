// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.runtime.spi.DataPlaneFailure;
import dev.anemone.runtime.store.BlockId;
import java.io.IOException;

/** A producer's block cannot be read; running the producer again helps. */
public class LostBlockException extends IOException implements DataPlaneFailure {

  private static final long serialVersionUID = 1L;

  private final transient BlockId blockId;

  /** Says which block, and why. */
  public LostBlockException(BlockId block, IOException cause) {
    super("block " + block + " cannot be read: " + cause.getMessage(), cause);
    this.blockId = block;
  }

  /** The block; null after serialisation. */
  public BlockId blockId() {
    return blockId;
  }
}
