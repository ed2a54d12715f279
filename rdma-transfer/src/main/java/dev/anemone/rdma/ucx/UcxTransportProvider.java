package dev.anemone.rdma.ucx;

import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.TransportProvider;
import dev.anemone.rdma.transport.TransportUnavailableException;
import java.nio.file.Path;
import java.util.Map;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpParams;

/** The transport on UCX, where the system has it. */
public final class UcxTransportProvider implements TransportProvider {

  /** Before and behind that of tcp. */
  private static final int WITH_DEVICE = 200;

  private static final int WITHOUT_DEVICE = -1;

  /** Where Linux lists the devices with verbs. */
  private static final Path DEVICES = Path.of("/sys/class/infiniband");

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

  /** Without a device for verbs there is UCX's TCP, which is slower than the transport tcp. */
  @Override
  public int preference() {
    String[] devices = DEVICES.toFile().list();
    return devices == null || devices.length == 0 ? WITHOUT_DEVICE : WITH_DEVICE;
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
