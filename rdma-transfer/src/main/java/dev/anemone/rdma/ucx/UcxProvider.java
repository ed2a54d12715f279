package dev.anemone.rdma.ucx;

import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.TransportProvider;
import dev.anemone.rdma.transport.TransportUnavailableException;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpParams;

/** The transport on UCX, where the system has it. */
public final class UcxProvider implements TransportProvider {

  private static final int PREFERENCE = 200;

  /** For the service loader. */
  public UcxProvider() {}

  @Override
  public String name() {
    return UcxTransport.NAME;
  }

  @Override
  public int preference() {
    return PREFERENCE;
  }

  @Override
  public Transport open() throws TransportUnavailableException {
    UcxLibrary.require();
    UcpParams params =
        new UcpParams()
            .requestAmFeature()
            .requestRmaFeature()
            .requestWakeupFeature()
            // Memory is registered by users' threads, beside the worker's.
            .setMtWorkersShared(true);
    if (System.getenv("UCX_LOG_LEVEL") == null) {
      // What goes wrong is told by exceptions; UCX would write it to the standard output.
      params.setConfig("LOG_LEVEL", "fatal");
    }
    try {
      UcpContext context = new UcpContext(params);
      try {
        return UcxTransport.open(context);
      } catch (UcxException e) {
        context.close();
        throw e;
      }
    } catch (UcxException e) {
      throw new TransportUnavailableException(
          "UCX does not start: "
              + e.getMessage()
              + "; `ucx_info -d` shows the devices that it sees, and UCX_TLS must name at least"
              + " one transport of theirs, or be unset",
          e);
    }
  }
}
