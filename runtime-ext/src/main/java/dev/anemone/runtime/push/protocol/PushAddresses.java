// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.protocol;

import java.util.Optional;

/** Knows where the targets of a {@code PushSender} listen. Called by the sender's thread. */
@FunctionalInterface
public interface PushAddresses {

  /**
   * The newest address of a target; empty as long as none was announced. May change while the
   * sender runs.
   */
  Optional<PushAddress> addressOf(int target);
}
