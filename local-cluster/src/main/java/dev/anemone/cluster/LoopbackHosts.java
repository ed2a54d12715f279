// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/**
 * Host names for nodes that differ, so that a task can be near to some blocks and far from others.
 * On Linux the whole network 127/8 is this machine; elsewhere, all nodes are the same host.
 */
final class LoopbackHosts {

  /** So many nodes can have a name. */
  static final int MOST = 200;

  private static final String NETWORK = "127.0.0.";
  // Distributions give 127.0.0.2 and the like to the machine's own name.
  private static final int FIRST = 11;
  private static final String SAME = "localhost";

  private LoopbackHosts() {}

  /** The host name of a node. */
  static String ofNode(int index) {
    String host = NETWORK + (FIRST + index);
    try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getByName(host))) {
      return probe.getInetAddress().getCanonicalHostName().equals(host) ? host : SAME;
    } catch (IOException e) {
      return SAME;
    }
  }
}
