// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import dev.anemone.runtime.push.protocol.PushAddress;
import dev.anemone.runtime.push.protocol.SenderHandshake;
import java.io.IOException;
import java.net.InetAddress;
import java.util.function.Consumer;

/**
 * A way for batches from senders to receivers. What becomes of them is the same on all: {@link
 * PushSender} and {@link PushReceiver} decide it. Thread-safe.
 */
public interface PushWire extends AutoCloseable {

  /** The name that users ask for it by, and that a receiver announces. */
  String name();

  /**
   * Listens for a receiver's senders, on a free port.
   *
   * @throws IOException when it cannot listen there
   */
  PushListener listen(InetAddress bind, PushReceiver receiver) throws IOException;

  /**
   * Begins to connect.
   *
   * @param target which of the sender's targets it is, for its events
   * @param handshake of this connection; no other has it
   * @param events gets what happens; must not wait
   */
  SenderConnection connect(
      int target,
      PushAddress address,
      SenderHandshake handshake,
      PushSender.Settings settings,
      Consumer<SenderEvent> events);

  /** Lets go of what it has; its connections and listeners must have been closed. */
  @Override
  void close();
}
