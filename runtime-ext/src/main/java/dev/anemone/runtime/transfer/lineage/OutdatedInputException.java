// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.lineage;

import dev.anemone.runtime.spi.DataPlaneFailure;
import java.io.IOException;

/**
 * A producer has run again since an attempt has read its output, and has written something else:
 * another attempt has to read that.
 */
public final class OutdatedInputException extends IOException implements DataPlaneFailure {

  private static final long serialVersionUID = 1L;

  /** Says which stage's output it is. */
  public OutdatedInputException(String producerStage) {
    super(
        "a task of "
            + producerStage
            + " was run again since this attempt has read its output, and has written something"
            + " else");
  }
}
