// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.direct;

import dev.anemone.runtime.push.OpenConnections;
import dev.anemone.runtime.push.PushListener;
import dev.anemone.runtime.push.PushReceiver;
import dev.anemone.runtime.push.SenderConnection;
import dev.anemone.runtime.push.SenderEvent;
import dev.anemone.runtime.push.protocol.Hello;
import dev.anemone.runtime.push.protocol.Refusal;
import dev.anemone.runtime.push.protocol.RefusedException;
import java.time.Duration;
import java.util.function.Consumer;

/** A receiver as senders of its JVM find it. Thread-safe. */
final class DirectListener implements PushListener {

  private final DirectWire wire;
  private final int number;
  private final PushReceiver receiver;
  private final OpenConnections<DirectConnection> connections = new OpenConnections<>();

  DirectListener(DirectWire wire, int number, PushReceiver receiver) {
    this.wire = wire;
    this.number = number;
    this.receiver = receiver;
  }

  /**
   * Connects a sender.
   *
   * @throws RefusedException when it takes the receiver for another one, or nothing of it is wanted
   */
  SenderConnection connect(int target, Hello hello, Consumer<SenderEvent> events)
      throws RefusedException {
    DirectConnection connection =
        new DirectConnection(this, receiver, receiver.admit(hello), target, events, wire.timer());
    if (!connections.add(connection)) {
      throw new RefusedException(Refusal.RECEIVER);
    }
    return connection;
  }

  void ended(DirectConnection connection) {
    connections.ended(connection);
  }

  @Override
  public int port() {
    return number;
  }

  @Override
  public boolean close(Duration timeout) {
    wire.forget(this);
    return connections.close(connection -> connection.end("it has closed the connection"), timeout);
  }
}
