// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import io.netty.util.NetUtil;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.yarn.api.records.Container;

/**
 * Has nodes that YARN knows by their addresses called so. For every attempt Tez makes a socket's
 * address of its node's and asks for the host's name, which the network's resolver has to find when
 * it is not the name that the address was made of. Where there is none, an answer can take seconds,
 * in which nothing else happens in the application master.
 */
public final class NodeAddresses {

  private NodeAddresses() {}

  /** Takes the address of a container's node for the node's name; does nothing to real names. */
  public static void takeForNames(Container container) {
    String address = container.getNodeHttpAddress();
    int port = address == null ? -1 : address.lastIndexOf(':');
    if (port < 0) {
      return;
    }
    String host = address.substring(0, port);
    if (NetUtil.isValidIpV4Address(host)) {
      NetUtils.addStaticResolution(host, host);
    }
  }
}
