// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.pull;

import dev.anemone.rdma.transport.Transport;
import dev.anemone.runtime.push.PushWires;
import dev.anemone.runtime.push.protocol.JobSecret;
import dev.anemone.runtime.push.transport.TransportWire;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.transfer.RemoteBlocks;
import dev.anemone.runtime.transfer.fetch.BlockCopies;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a container gives and takes blocks by the transport that it pushes over, from job to job.
 *
 * @param server gives those of this node
 */
public record ContainerPulls(
    Transport transport, BlockServer server, JobSecret secret, FetchSettings settings) {

  private static final Logger LOG = LoggerFactory.getLogger(ContainerPulls.class);

  /**
   * Those of a container.
   *
   * @param wires must stay open
   * @return empty where this node has no transport, or cannot listen; the log says why
   */
  public static Optional<ContainerPulls> open(
      PushWires wires, InetAddress bind, JobSecret secret, FetchSettings settings) {
    if (!(wires.ofReceivers() instanceof TransportWire wire)) {
      LOG.warn("Blocks come and go over HTTP, since this node has no transport");
      return Optional.empty();
    }
    try {
      return Optional.of(
          new ContainerPulls(
              wire.transport(),
              new BlockServer(wire.transport(), bind, secret, settings),
              secret,
              settings));
    } catch (IOException e) {
      LOG.warn("Blocks come and go over HTTP: {}", e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * Serves the blocks of a job from now on, and fetches those of others.
   *
   * @param notice names the block that tells of the server
   * @param handlers get what no server has
   */
  public ServedBlocks begin(
      String jobId, BlockStore blocks, BlockId notice, RemoteBlocks handlers, BlockCopies copies)
      throws IOException {
    server.serve(jobId, blocks, notice);
    return new ServedBlocks(handlers, transport, jobId, secret, notice, copies, settings);
  }
}
