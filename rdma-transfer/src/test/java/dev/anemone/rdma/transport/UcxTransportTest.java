package dev.anemone.rdma.transport;

import dev.anemone.rdma.ucx.UcxProvider;

class UcxTransportTest extends TransportContract {

  @Override
  TransportProvider provider() {
    return new UcxProvider();
  }
}
