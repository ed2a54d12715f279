// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import dev.anemone.rdma.tcp.TcpTransportProvider;
import dev.anemone.rdma.transport.TransportUnavailableException;
import dev.anemone.rdma.ucx.UcxTransportProvider;
import dev.anemone.testing.Requirement;
import java.io.IOException;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The pools of a class of tests are over ucx. */
final class OverUcx implements BeforeAllCallback, AfterAllCallback {

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    TestPool.use(require());
  }

  /** Skips the test where there is no UCX. */
  static UcxTransportProvider require() throws IOException {
    UcxTransportProvider ucx = new UcxTransportProvider();
    try {
      ucx.open().close();
      return ucx;
    } catch (TransportUnavailableException e) {
      throw Requirement.UCX.missing(e.getMessage());
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    TestPool.use(new TcpTransportProvider());
  }
}
