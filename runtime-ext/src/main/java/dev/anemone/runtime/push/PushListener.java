// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import java.time.Duration;

/** Where a {@link PushReceiver} listens, with the connections of its senders. Thread-safe. */
public interface PushListener {

  /** The port that it got. */
  int port();

  /**
   * Closes it and its connections, and waits for that, even if the thread is interrupted.
   *
   * @return whether they closed in time, so that the network writes nothing any longer
   */
  boolean close(Duration timeout);
}
