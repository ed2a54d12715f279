// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.runtime.spi.DataPlaneFailure;
import dev.anemone.runtime.store.BlockId;
import java.io.IOException;

/**
 * A block of another node cannot be kept on this one. Its producer is not to blame, and running it
 * again does not help: the attempt that reads the block fails.
 */
public class LocalCopyException extends IOException implements DataPlaneFailure {

  private static final long serialVersionUID = 1L;

  /** Says which block, and what is wrong with the disk here. */
  public LocalCopyException(BlockId block, IOException cause) {
    super("no copy of block " + block + " can be kept here: " + cause.getMessage(), cause);
  }
}
