// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.netty;

import dev.anemone.runtime.push.PushListener;
import dev.anemone.runtime.push.PushReceiver;
import dev.anemone.runtime.push.PushSender;
import dev.anemone.runtime.push.PushWire;
import dev.anemone.runtime.push.PushWires;
import dev.anemone.runtime.push.SenderConnection;
import dev.anemone.runtime.push.SenderEvent;
import dev.anemone.runtime.push.protocol.PushAddress;
import dev.anemone.runtime.push.protocol.SenderHandshake;
import java.io.IOException;
import java.net.InetAddress;
import java.util.function.Consumer;

/** TCP by Netty, with bytes copied from the network's buffers into pages. Always there. */
public final class NettyWire implements PushWire {

  public static final NettyWire INSTANCE = new NettyWire();

  private NettyWire() {}

  @Override
  public String name() {
    return PushWires.NETTY;
  }

  @Override
  public PushListener listen(InetAddress bind, PushReceiver receiver) throws IOException {
    return NettyListener.open(bind, receiver);
  }

  @Override
  public SenderConnection connect(
      int target,
      PushAddress address,
      SenderHandshake handshake,
      PushSender.Settings settings,
      Consumer<SenderEvent> events) {
    return NettySenderConnection.open(
        target, address, handshake, settings.connectTimeout(), events);
  }

  /** Its threads are shared by all, and stay. */
  @Override
  public void close() {}
}
