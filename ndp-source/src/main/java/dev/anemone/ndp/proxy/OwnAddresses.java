// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;

/** Which addresses are those of this machine, so that what is sent there is not on the network. */
final class OwnAddresses {

  private OwnAddresses() {}

  /** Whether only this machine can reach it. */
  static boolean isLoopback(InetSocketAddress address) {
    return address.getAddress().isLoopbackAddress();
  }

  /** Whether it is an address of this machine. */
  static boolean has(InetSocketAddress address) throws SocketException {
    return isLoopback(address) || NetworkInterface.getByInetAddress(address.getAddress()) != null;
  }
}
