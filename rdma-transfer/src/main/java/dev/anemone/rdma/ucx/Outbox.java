// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import dev.anemone.rdma.transport.RemoteRegion;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.openucx.jucx.UcxCallback;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpRequest;
import org.openucx.jucx.ucp.UcpRequestParams;
import org.openucx.jucx.ucs.UcsConstants;

/**
 * Gives frames their headers, and sends those of the transport's own, which count against no limit
 * of a user's. A frame that cannot be sent is no error here: the endpoint's error handler is told,
 * or what waits for the answer has a deadline. On the loop's thread only.
 */
final class Outbox {

  /**
   * For active messages. The binding's default, "unknown", has a number that UCX before 1.18
   * refuses.
   */
  static final UcpRequestParams HOST_MEMORY =
      new UcpRequestParams().setMemoryType(UcsConstants.MEMORY_TYPE.UCS_MEMORY_TYPE_HOST);

  /**
   * For active messages: an endpoint to answer on tells the peer from which of its own one came.
   */
  static final long FLAGS =
      UcpConstants.UCP_AM_SEND_FLAG_EAGER | UcpConstants.UCP_AM_SEND_FLAG_REPLY;

  private final UcpEndpoint endpoint;
  private final ArrayDeque<ControlSend> free = new ArrayDeque<>();
  private long receiver;
  private long order;

  Outbox(UcpEndpoint endpoint) {
    this.endpoint = endpoint;
  }

  /** What the peer calls the connection; 0 before it has told. */
  void setReceiver(long number) {
    receiver = number;
  }

  /** Writes the header of the next frame; it must be sent next. */
  void putHeader(ByteBuffer frame, Frame.Type type) {
    Frame.putHeader(frame, receiver, order++, type);
  }

  void send(Frame.Type type, RemoteRegion region) {
    send(type, body -> Frame.putRegion(body, region));
  }

  void send(Frame.Type type, Consumer<ByteBuffer> writeBody) {
    ControlSend send = free.isEmpty() ? new ControlSend() : free.pop();
    send.frame.clear();
    putHeader(send.frame, type);
    writeBody.accept(send.frame);
    try {
      endpoint.sendAmNonBlocking(
          Operation.AM_ID, 0, 0, send.address, send.frame.position(), FLAGS, send, HOST_MEMORY);
    } catch (UcxException e) {
      send.onError(e.getStatus(), e.getMessage());
    }
  }

  private final class ControlSend extends UcxCallback {

    private final ByteBuffer frame = ByteBuffer.allocateDirect(Frame.MAX_CONTROL_BYTES);
    private final long address = UcxUtils.getAddress(frame);

    @Override
    public void onSuccess(UcpRequest request) {
      free.push(this);
    }

    @Override
    public void onError(int status, String message) {
      // Not used again: UCX is done with this endpoint.
    }
  }
}
