// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import dev.anemone.rdma.transport.TransportUnavailableException;
import dev.anemone.rdma.ucx.library.UcxLibrary;
import dev.anemone.testing.Requirement;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips a class of tests where there is no UCX, or fails it where UCX is required. */
public final class RequiresUcx implements BeforeAllCallback {

  @Override
  public void beforeAll(ExtensionContext context) {
    try {
      UcxLibrary.require();
    } catch (TransportUnavailableException e) {
      throw Requirement.UCX.missing(e.getMessage());
    }
  }
}
