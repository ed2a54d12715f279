// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.TransportProvider;
import dev.anemone.rdma.transport.TransportUnavailableException;
import dev.anemone.rdma.ucx.library.UcxLibrary;
import java.io.IOException;
import java.nio.file.Path;
import org.openucx.jucx.UcxException;

/** The transport on UCX, where the system has it. */
public final class UcxTransportProvider implements TransportProvider {

  /** Before and behind that of tcp. */
  private static final int WITH_DEVICE = 200;

  private static final int WITHOUT_DEVICE = -1;

  /** Where Linux lists the devices with verbs. */
  private static final Path DEVICES = Path.of("/sys/class/infiniband");

  /** For the service loader. */
  public UcxTransportProvider() {}

  @Override
  public String name() {
    return UcxTransport.NAME;
  }

  /** Without a device for verbs there is UCX's TCP, which is slower than the transport tcp. */
  @Override
  public int preference() {
    String[] devices = DEVICES.toFile().list();
    return devices == null || devices.length == 0 ? WITHOUT_DEVICE : WITH_DEVICE;
  }

  @Override
  public Transport open() throws TransportUnavailableException {
    UcxLibrary.require();
    try {
      return UcxTransport.open();
    } catch (UcxException e) {
      throw new TransportUnavailableException(
          "UCX does not start: "
              + e.getMessage()
              + "; `ucx_info -d` shows the devices that it sees, and UCX_TLS must name at least"
              + " one transport of theirs, or be unset",
          e);
    } catch (IOException e) {
      throw new TransportUnavailableException(
          "UCX cannot be used in this process: " + e.getMessage(), e);
    }
  }
}
