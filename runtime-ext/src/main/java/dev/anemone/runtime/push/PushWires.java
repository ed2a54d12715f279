// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import dev.anemone.runtime.push.protocol.JobSecret;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What senders and receivers of this JVM can speak: TCP by Netty always, and perhaps a transport of
 * one-sided operations, or copies from page to page. A receiver listens on one of them and
 * announces which; a sender that does not have it leaves its bytes in its local block. Whatever
 * they speak, they take each other for real by the secret that they share. Thread-safe.
 */
public final class PushWires implements AutoCloseable {

  /** TCP by Netty. */
  public static final String NETTY = "netty";

  /** From page to page, where sender and receiver are in one JVM. */
  public static final String DIRECT = "direct";

  /** The best transport that works on a machine. */
  public static final String AUTO = "auto";

  /** That of receivers first. */
  private final List<PushWire> wires;

  private final JobSecret secret;

  /**
   * Those that were opened.
   *
   * @param wires that of receivers first; closed with this object
   * @param secret what senders and receivers of the same jobs know
   */
  public PushWires(List<PushWire> wires, JobSecret secret) {
    this.wires = List.copyOf(wires);
    this.secret = Objects.requireNonNull(secret, "secret");
  }

  JobSecret secret() {
    return secret;
  }

  /** What receivers listen on. */
  public PushWire ofReceivers() {
    return wires.get(0);
  }

  /** Whether a wire is one of one-sided operations of the network's. */
  static boolean isTransport(String name) {
    return !name.equals(NETTY) && !name.equals(DIRECT);
  }

  /** The wire of a name, if there is one. */
  public Optional<PushWire> find(String name) {
    return wires.stream().filter(wire -> wire.name().equals(name)).findFirst();
  }

  /** Closes the transport. Senders and receivers must have been closed before. */
  @Override
  public void close() {
    wires.forEach(PushWire::close);
  }
}
