package dev.anemone.runtime.push;

import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.TransportUnavailableException;
import dev.anemone.rdma.transport.Transports;
import dev.anemone.runtime.memory.PagePool;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What senders and receivers of this JVM can speak: TCP by Netty always, and perhaps a transport of
 * one-sided operations. A receiver listens on one of them and announces which; a sender that does
 * not have it leaves its bytes in its local block. Thread-safe.
 */
public final class PushWires implements AutoCloseable {

  /** TCP by Netty. */
  public static final String NETTY = "netty";

  /** The best transport that works on a machine. */
  public static final String AUTO = "auto";

  private static final Logger LOG = LoggerFactory.getLogger(PushWires.class);

  /** That of receivers first. */
  private final List<PushWire> wires;

  private PushWires(PushWire... wires) {
    this.wires = List.of(wires);
  }

  /** What users can ask for. */
  public static List<String> names() {
    return Stream.concat(Stream.of(NETTY, AUTO), Transports.found().names().stream().sorted())
        .toList();
  }

  /** TCP by Netty alone. */
  public static PushWires netty() {
    return new PushWires(NettyWire.INSTANCE);
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
    if (name.equals(NETTY)) {
      return netty();
    }
    Transport transport =
        name.equals(AUTO) ? Transports.found().open() : Transports.found().open(name);
    return new PushWires(new TransportWire(transport, pool), NettyWire.INSTANCE);
  }

  /**
   * The same, but where it does not work on this machine TCP by Netty alone, and the log has the
   * reason.
   */
  public static PushWires openWhatWorks(String name, PagePool pool) {
    try {
      return open(name, pool);
    } catch (TransportUnavailableException e) {
      LOG.warn("What is pushed to this JVM comes by {}: {}", NETTY, e.getMessage());
      return netty();
    }
  }

  /** What receivers listen on. */
  PushWire ofReceivers() {
    return wires.get(0);
  }

  /** The wire of a name, if there is one. */
  Optional<PushWire> find(String name) {
    return wires.stream().filter(wire -> wire.name().equals(name)).findFirst();
  }

  /** Closes the transport. Senders and receivers must have been closed before. */
  @Override
  public void close() {
    wires.forEach(PushWire::close);
  }
}
