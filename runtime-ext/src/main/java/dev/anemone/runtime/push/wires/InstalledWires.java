// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.wires;

import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.TransportUnavailableException;
import dev.anemone.rdma.transport.Transports;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.push.PushWires;
import dev.anemone.runtime.push.direct.DirectWire;
import dev.anemone.runtime.push.netty.NettyWire;
import dev.anemone.runtime.push.protocol.JobSecret;
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
            Stream.of(PushWires.NETTY, PushWires.DIRECT, PushWires.AUTO),
            Transports.found().names().stream().sorted())
        .toList();
  }

  /**
   * TCP by Netty alone.
   *
   * @param secret of the jobs that push
   */
  public static PushWires netty(JobSecret secret) {
    return new PushWires(List.of(NettyWire.INSTANCE), secret);
  }

  /**
   * From page to page, and TCP by Netty: where all senders have this object.
   *
   * @param secret of the jobs that push
   */
  private static PushWires direct(JobSecret secret) {
    return new PushWires(List.of(new DirectWire(), NettyWire.INSTANCE), secret);
  }

  /**
   * Those that receivers listen on by name, and TCP by Netty.
   *
   * @param name one of {@link #names}
   * @param pool where all pages of senders and receivers are from; its memory stays registered
   *     until this is closed
   * @param secret of the jobs that push
   * @throws IllegalArgumentException when there is none of that name: which there are
   * @throws TransportUnavailableException when it does not work on this machine, with the reason
   */
  public static PushWires open(String name, PagePool pool, JobSecret secret)
      throws TransportUnavailableException {
    if (name.equals(PushWires.NETTY)) {
      return netty(secret);
    }
    if (name.equals(PushWires.DIRECT)) {
      return direct(secret);
    }
    Transport transport =
        name.equals(PushWires.AUTO) ? Transports.found().open() : Transports.found().open(name);
    return new PushWires(List.of(new TransportWire(transport, pool), NettyWire.INSTANCE), secret);
  }

  /**
   * The same, but where it does not work on this machine TCP by Netty alone, and the log has the
   * reason.
   */
  public static PushWires openWhatWorks(String name, PagePool pool, JobSecret secret) {
    try {
      return open(name, pool, secret);
    } catch (TransportUnavailableException e) {
      LOG.warn("What is pushed to this JVM comes by {}: {}", PushWires.NETTY, e.getMessage());
      return netty(secret);
    }
  }
}
