// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import dev.anemone.runtime.push.protocol.PushAddress;
import dev.anemone.runtime.spi.DataPlaneFailure;
import java.io.IOException;

/** A receiver is gone with what it had acknowledged; running the sending task again helps. */
public class LostReceiverException extends IOException implements DataPlaneFailure {

  private static final long serialVersionUID = 1L;

  LostReceiverException(int target, int batches, PushAddress old, PushAddress now) {
    super(
        "push target "
            + target
            + " has moved from "
            + old
            + " to "
            + now
            + ", and "
            + batches
            + " batches that it had acknowledged are lost; the task has to run again");
  }
}
