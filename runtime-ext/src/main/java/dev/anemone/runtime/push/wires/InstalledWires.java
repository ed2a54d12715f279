// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.wires;

import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.TransportUnavailableException;
import dev.anemone.rdma.transport.Transports;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.push.PushWires;
import dev.anemone.runtime.push.netty.NettyWire;
import dev.anemone.runtime.push.transport.TransportWire;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The wires that there are on this machine, by the names that users know. */
public final class InstalledWires {

  private static final Logger LOG = LoggerFactory.getLogger(InstalledWires.class);

  private InstalledWires() {}

  /** What users can ask for. */
  public static List<String> names() {
    return Stream.concat(
            Stream.of(PushWires.NETTY, PushWires.AUTO),
            Transports.found().names().stream().sorted())
        .toList();
  }

  /** TCP by Netty alone. */
  public static PushWires netty() {
    return new PushWires(List.of(NettyWire.INSTANCE));
  }

  /**
   * Those that receivers listen on by name, and TCP by Netty.
   *
   * @param name one of {@link #names}
   * @param pool where all pages of senders and receivers are from; its memory stays registered
   *     until this is closed
   * @throws IllegalArgumentException when there is none of that name: which there are
   * @throws TransportUnavailableException when it does not work on this machine, with the reason
   */
  public static PushWires open(String name, PagePool pool) throws TransportUnavailableException {
    if (name.equals(PushWires.NETTY)) {
      return netty();
    }
    Transport transport =
        name.equals(PushWires.AUTO) ? Transports.found().open() : Transports.found().open(name);
    return new PushWires(List.of(new TransportWire(transport, pool), NettyWire.INSTANCE));
  }

  /**
   * The same, but where it does not work on this machine TCP by Netty alone, and the log has the
   * reason.
   */
  public static PushWires openWhatWorks(String name, PagePool pool) {
    try {
      return open(name, pool);
    } catch (TransportUnavailableException e) {
      LOG.warn("What is pushed to this JVM comes by {}: {}", PushWires.NETTY, e.getMessage());
      return netty();
    }
  }
}
