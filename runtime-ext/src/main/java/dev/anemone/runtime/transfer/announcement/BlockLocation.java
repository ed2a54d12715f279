// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.announcement;

import java.util.Objects;

/**
 * The node of a cluster on which a block lies, as its block server is reached. Two servers on one
 * host are two nodes.
 *
 * @param host name of the node
 * @param port of the server that hands out blocks
 */
public record BlockLocation(String host, int port) {

  public BlockLocation {
    Objects.requireNonNull(host, "host");
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
