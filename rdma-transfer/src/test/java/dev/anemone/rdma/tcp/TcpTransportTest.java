// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.tcp;

import dev.anemone.rdma.transport.TransportContract;
import dev.anemone.rdma.transport.TransportProvider;

class TcpTransportTest extends TransportContract {

  @Override
  protected TransportProvider provider() {
    return new TcpTransportProvider();
  }
}
