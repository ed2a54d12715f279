// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import dev.anemone.rdma.transport.TransportContract;
import dev.anemone.rdma.transport.TransportProvider;
import org.junit.jupiter.api.Tag;

/** The contract over what UCX chooses, or what {@code UCX_TLS} and {@code UCX_NET_DEVICES} name. */
@Tag("slow")
class UcxTransportTest extends TransportContract {

  @Override
  protected TransportProvider provider() {
    return new UcxTransportProvider();
  }

  /** Over verbs the device does it. */
  @Override
  protected boolean needsThePeersThreads() {
    String transports = System.getenv("UCX_TLS");
    return transports == null || !transports.contains("rc");
  }
}
