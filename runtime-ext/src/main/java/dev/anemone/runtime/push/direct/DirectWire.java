// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.direct;

import dev.anemone.runtime.push.PushListener;
import dev.anemone.runtime.push.PushReceiver;
import dev.anemone.runtime.push.PushSender;
import dev.anemone.runtime.push.PushWire;
import dev.anemone.runtime.push.PushWires;
import dev.anemone.runtime.push.SenderConnection;
import dev.anemone.runtime.push.SenderEvent;
import dev.anemone.runtime.push.protocol.PushAddress;
import dev.anemone.runtime.push.protocol.RefusedException;
import dev.anemone.runtime.push.protocol.SenderHandshake;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;

/**
 * Between senders and receivers of one JVM that share this object. There are no ports; receivers
 * have numbers in their place. A sender that has this object has proven enough.
 */
public final class DirectWire implements PushWire {

  private static final int NUMBERS = 65_535;

  private final Map<Integer, DirectListener> listeners = new ConcurrentHashMap<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          new DefaultThreadFactory("anemone-push-direct", true));

  @Override
  public String name() {
    return PushWires.DIRECT;
  }

  @Override
  public PushListener listen(InetAddress bind, PushReceiver receiver) throws IOException {
    for (int number = 1; number <= NUMBERS; number++) {
      DirectListener listener = new DirectListener(this, number, receiver);
      if (listeners.putIfAbsent(number, listener) == null) {
        return listener;
      }
    }
    throw new IOException("there are " + NUMBERS + " receivers in this JVM already");
  }

  void forget(DirectListener listener) {
    listeners.remove(listener.port(), listener);
  }

  /** Tells when batches have waited for long enough; its tasks must not wait. */
  ScheduledExecutorService timer() {
    return timer;
  }

  @Override
  public SenderConnection connect(
      int target,
      PushAddress address,
      SenderHandshake handshake,
      PushSender.Settings settings,
      Consumer<SenderEvent> events) {
    DirectListener listener = listeners.get(address.port());
    try {
      if (listener != null) {
        return listener.connect(target, handshake.hello(), events);
      }
      events.accept(new SenderEvent.Disconnected(target, "there is no such receiver any more"));
    } catch (RefusedException e) {
      events.accept(
          new SenderEvent.Disconnected(
              target, "it does not let this task in: " + e.refusal().reason()));
    }
    return new NoConnection(events);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
