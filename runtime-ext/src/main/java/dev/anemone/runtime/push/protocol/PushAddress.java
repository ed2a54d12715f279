// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.protocol;

import java.util.Objects;

/**
 * Where a {@code PushReceiver} listens.
 *
 * @param wire what senders have to speak: {@code netty}, or the name of a transport
 * @param host name or address of its host
 * @param port its port
 * @param receiverId unique for each receiver, so that the address of one that is gone is told from
 *     that of another one which got its port
 */
public record PushAddress(String wire, String host, int port, String receiverId) {

  public PushAddress {
    Objects.requireNonNull(wire, "wire");
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(receiverId, "receiverId");
    if (port < 1 || port > 65535) {
      throw new IllegalArgumentException("a port lies between 1 and 65535, not at " + port);
    }
  }

  @Override
  public String toString() {
    return wire + " " + host + ":" + port + " (" + receiverId + ")";
  }
}
