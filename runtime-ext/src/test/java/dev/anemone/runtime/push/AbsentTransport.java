// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.TransportProvider;
import dev.anemone.rdma.transport.TransportUnavailableException;

/** A transport whose library no machine has. */
public final class AbsentTransport implements TransportProvider {

  public static final String NAME = "absent";

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
    throw new TransportUnavailableException("its library is not on this machine: install it", null);
  }
}
