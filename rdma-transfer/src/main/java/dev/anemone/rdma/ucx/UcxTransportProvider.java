package dev.anemone.rdma.ucx;

import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.TransportProvider;
import dev.anemone.rdma.transport.TransportUnavailableException;
import java.util.Map;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpParams;

/** The transport on UCX, where the system has it. */
public final class UcxTransportProvider implements TransportProvider {

  private static final int PREFERENCE = 200;

  /** What UCX's variables are where the user has not set them. */
  private static final Map<String, String> DEFAULTS =
      Map.of(
          // What goes wrong is told by exceptions; UCX would write it to the standard output too.
          "LOG_LEVEL",
          "fatal",
          // Shared memory can tell that its peer has died, but UCX does not use it on endpoints
          // that
          // want to know, unless it is asked to.
          "MM_ERROR_HANDLING",
          "y");

  /** For the service loader. */
  public UcxTransportProvider() {}

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
    DEFAULTS.forEach(
        (name, value) -> {
          if (System.getenv("UCX_" + name) == null) {
            params.setConfig(name, value);
          }
        });
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
