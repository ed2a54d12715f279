// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.engine;

import dev.anemone.runtime.push.PushWires;
import dev.anemone.runtime.push.wires.InstalledWires;

/**
 * How data gets from executor to executor.
 *
 * @param push how what is pushed gets to aggregation tasks: one of {@link InstalledWires#names}
 * @param pulls whether blocks that are pulled from other nodes come by that transport, too, where a
 *     node has it; over HTTP otherwise
 */
public record TransportOptions(String push, boolean pulls) {

  /** TCP by Netty, and HTTP. */
  public static final TransportOptions DEFAULT = new TransportOptions(PushWires.NETTY, false);

  public TransportOptions {
    if (!InstalledWires.names().contains(push)) {
      throw new IllegalArgumentException(
          "there is no push transport '" + push + "'; there are: " + InstalledWires.names());
    }
    if (pulls && (push.equals(PushWires.NETTY) || push.equals(PushWires.DIRECT))) {
      throw new IllegalArgumentException("no blocks are pulled by " + push);
    }
  }
}
