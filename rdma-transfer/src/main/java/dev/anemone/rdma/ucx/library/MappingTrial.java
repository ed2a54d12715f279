// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx.library;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpContext;

/**
 * Maps memory and unmaps it, to see whether UCX can. Where UCX refuses memory, the binding (1.18)
 * goes on with an address that nobody has set, which ends the process more often than not. So it is
 * asked only for what UCX has just mapped. Thread-safe.
 */
public final class MappingTrial {

  // ucp_mem_map_params_t of UCX's ABI, on systems of 64 bits; UCX ignores fields without a bit.
  private static final long HAS_ADDRESS = 1;
  private static final long HAS_LENGTH = 1 << 1;
  private static final long HAS_FLAGS = 1 << 2;
  private static final int AT_ADDRESS = 8;
  private static final int AT_LENGTH = 16;
  private static final int AT_FLAGS = 24;
  private static final int PARAMS_BYTES = 64;
  private static final int ALLOCATE = 1 << 1;

  private final Function map;
  private final Function unmap;
  private final Function textOfStatus;

  private MappingTrial(NativeLibrary ucp, NativeLibrary ucs) {
    map = ucp.getFunction("ucp_mem_map");
    unmap = ucp.getFunction("ucp_mem_unmap");
    textOfStatus = ucs.getFunction("ucs_status_string");
  }

  /**
   * Trials in the libraries that the binding has loaded.
   *
   * @throws IOException when it cannot be seen which these are, or JNA does not work here, as where
   *     the directory for temporary files may not have programs
   */
  public static MappingTrial inLoadedLibraries() throws IOException {
    Path libucp = UcxLibrary.loaded("libucp.so");
    Path libucs = UcxLibrary.loaded("libucs.so");
    try {
      return new MappingTrial(
          NativeLibrary.getInstance(libucp.toString()),
          NativeLibrary.getInstance(libucs.toString()));
    } catch (LinkageError e) {
      throw new IOException("JNA cannot call " + libucp + ": " + e.getMessage(), e);
    }
  }

  /**
   * Sees whether UCX can register a direct buffer.
   *
   * @throws UcxException when it cannot
   */
  public void register(UcpContext context, ByteBuffer memory) {
    Memory params = params(HAS_ADDRESS | HAS_LENGTH, memory.remaining());
    params.setLong(AT_ADDRESS, UcxUtils.getAddress(memory));
    tryOut(context, params);
  }

  /**
   * Sees whether UCX can allocate so many bytes.
   *
   * @throws UcxException when it cannot
   */
  public void allocate(UcpContext context, long bytes) {
    Memory params = params(HAS_LENGTH | HAS_FLAGS, bytes);
    params.setInt(AT_FLAGS, ALLOCATE);
    tryOut(context, params);
  }

  private static Memory params(long fields, long bytes) {
    Memory params = new Memory(PARAMS_BYTES);
    params.clear();
    params.setLong(0, fields);
    params.setLong(AT_LENGTH, bytes);
    return params;
  }

  private void tryOut(UcpContext context, Memory params) {
    Pointer ucx = new Pointer(context.getNativeId());
    PointerByReference mapped = new PointerByReference();
    check(call(map, ucx, params, mapped));
    check(call(unmap, ucx, mapped.getValue()));
  }

  /** UCX's status is a byte. */
  private static byte call(Function function, Object... arguments) {
    return (Byte) function.invoke(byte.class, arguments);
  }

  private void check(byte status) {
    if (status != 0) {
      throw new UcxException(textOfStatus.invokeString(new Object[] {status}, false), status);
    }
  }
}
