// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.netspark;

import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.TransportProvider;
import dev.anemone.rdma.transport.TransportUnavailableException;
import dev.anemone.rdma.ucx.UcxTransportProvider;

/** UCX whose reads are {@link NaiveRdma naive}; never taken unasked. */
public final class NaiveRdmaProvider implements TransportProvider {
  static final String NAME = "naive";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int preference() {
    return Integer.MIN_VALUE;
  }

  @Override
  public Transport open() throws TransportUnavailableException {
    return new NaiveRdma(new UcxTransportProvider().open());
  }
}
