// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import java.util.Objects;

/**
 * Where a node is.
 *
 * @param host its host name, which is that of its blocks in HDFS, too
 * @param port of its NodeManager; host and port are the node's id in YARN
 * @param shufflePort of its shuffle service
 */
public record NodeAddress(String host, int port, int shufflePort) {
  public NodeAddress {
    Objects.requireNonNull(host, "host");
  }
}
