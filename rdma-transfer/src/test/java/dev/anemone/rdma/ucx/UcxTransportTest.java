package dev.anemone.rdma.ucx;

import dev.anemone.rdma.transport.TransportContract;
import dev.anemone.rdma.transport.TransportProvider;

class UcxTransportTest extends TransportContract {

  @Override
  protected TransportProvider provider() {
    return new UcxTransportProvider();
  }
}
