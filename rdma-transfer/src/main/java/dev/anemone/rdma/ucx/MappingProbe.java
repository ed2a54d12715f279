// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import java.nio.ByteBuffer;
import org.openucx.jucx.UcxCallback;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpRemoteKey;
import org.openucx.jucx.ucp.UcpRequest;

/**
 * A read of one byte of a peer's memory. UCX refers to it until the read has ended, and so to the
 * memory that the byte goes to. On the loop's thread only.
 */
final class MappingProbe extends UcxCallback {

  private final ByteBuffer memory = ByteBuffer.allocateDirect(1);
  private boolean succeeded;

  private MappingProbe() {}

  /**
   * Begins such a read, and says whether it has ended well already. What becomes of it later nobody
   * needs to know: where it fails, UCX breaks the endpoint.
   */
  static boolean readsAtOnce(UcpEndpoint endpoint, long address, UcpRemoteKey key) {
    MappingProbe probe = new MappingProbe();
    try {
      endpoint.getNonBlocking(address, key, UcxUtils.getAddress(probe.memory), 1, probe);
    } catch (UcxException e) {
      // UCX does not begin it: then it cannot tell.
      return false;
    }
    return probe.succeeded;
  }

  @Override
  public void onSuccess(UcpRequest request) {
    succeeded = true;
  }

  @Override
  public void onError(int status, String message) {
    succeeded = false;
  }
}
