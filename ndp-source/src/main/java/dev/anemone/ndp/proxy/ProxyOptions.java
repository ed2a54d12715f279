// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import dev.anemone.ndp.engine.database.NdpEngineLimits;
import dev.anemone.ndp.protocol.SharedSecret;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What a proxy may use.
 *
 * @param dataNode where the data node's WebHDFS is
 * @param listen where the proxy listens; port 0 for any
 * @param limits of what plans and clients may take
 * @param workDirectory an existing directory for files of running plans, on a local disk
 * @param secret that clients must have, in addition to what HDFS asks for
 * @param tls which connections are encrypted
 */
public record ProxyOptions(
    InetSocketAddress dataNode,
    InetSocketAddress listen,
    Limits limits,
    Path workDirectory,
    Optional<SharedSecret> secret,
    ProxyTls tls) {

  /**
   * What plans and clients may take.
   *
   * @param cores plans that run at the same time, each on one thread
   * @param memoryBytes memory of all running plans together, off the heap
   * @param queue plans that may wait for a core
   * @param connections clients that may be connected
   * @param splitBytes largest split that a plan may read; so much disk may a plan use twice, for
   *     its copy and for what does not fit into memory
   * @param deadline how long a plan may take, from when it begins to run until its last byte is
   *     sent
   * @param patience how long the data node or a client may be silent, and how long a request may
   *     take to come, but for the body of one that is handed on
   */
  public record Limits(
      int cores,
      long memoryBytes,
      int queue,
      int connections,
      long splitBytes,
      Duration deadline,
      Duration patience) {

    public Limits {
      if (cores < 1 || queue < 0 || connections < 1 || splitBytes < 1) {
        throw new IllegalArgumentException(
            "a proxy needs a core, a connection and a byte at least; it was given "
                + cores
                + " cores, a queue of "
                + queue
                + ", "
                + connections
                + " connections and splits of "
                + splitBytes
                + " bytes");
      }
      if (patience.isNegative() || patience.isZero()) {
        throw new IllegalArgumentException("the patience must be positive, was " + patience);
      }
    }
  }

  public ProxyOptions {
    Objects.requireNonNull(dataNode, "dataNode");
    Objects.requireNonNull(listen, "listen");
    Objects.requireNonNull(secret, "secret");
    Objects.requireNonNull(tls, "tls");
    // What is wrong with the rest is said before anything starts.
    planLimits(limits, workDirectory);
  }

  /** How the data node is reached. */
  DataNodeWay wayToDataNode() {
    return new DataNodeWay(dataNode, tls, limits.patience());
  }

  /** What one plan may use. */
  NdpEngineLimits planLimits() {
    return planLimits(limits, workDirectory);
  }

  private static NdpEngineLimits planLimits(Limits limits, Path workDirectory) {
    return new NdpEngineLimits(
        1, limits.memoryBytes / limits.cores, limits.splitBytes, limits.deadline, workDirectory);
  }
}
