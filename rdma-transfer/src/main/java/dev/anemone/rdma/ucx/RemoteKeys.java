// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import dev.anemone.rdma.transport.RemoteRegion;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.openucx.jucx.UcxCallback;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpRequest;

/**
 * The peer's regions that a connection uses: asks the owner for each once, and gives it back when
 * the owner wants that. On the loop's thread only.
 */
final class RemoteKeys {

  private final LoopConnection connection;
  private final UcpEndpoint endpoint;
  private final Outbox outbox;
  private final Map<RemoteRegion, RemoteKey> keys = new HashMap<>();

  RemoteKeys(LoopConnection connection, UcpEndpoint endpoint, Outbox outbox) {
    this.connection = connection;
    this.endpoint = endpoint;
    this.outbox = outbox;
  }

  /** The key of a region; asks for it when there is none yet. */
  RemoteKey of(RemoteRegion region) {
    RemoteKey key = keys.get(region);
    if (key == null) {
      key = new RemoteKey(region);
      keys.put(region, key);
      outbox.send(Frame.Type.OPEN, region);
    }
    return key;
  }

  /** The key of a region that the owner has granted, or null. */
  RemoteKey granted(RemoteRegion region) {
    RemoteKey key = keys.get(region);
    return key == null || key.state() != RemoteKey.State.GRANTED ? null : key;
  }

  /**
   * The owner grants a region: its address and UCX's key follow. UCX unpacks a key only on an
   * endpoint that is wired up (else it ends the process), which it is after a flush.
   */
  void granted(RemoteRegion region, ByteBuffer body) {
    RemoteKey key = keys.get(region);
    if (key == null || key.state() != RemoteKey.State.OPENING) {
      return;
    }
    long address = body.getLong();
    ByteBuffer packed = ByteBuffer.allocateDirect(body.remaining()).put(body).flip();
    flushThen(() -> connection.ifOpen(() -> unpack(key, address, packed)));
  }

  private void unpack(RemoteKey key, long address, ByteBuffer packed) {
    try {
      key.grant(address, endpoint.unpackRemoteKey(packed));
      connection.pump();
    } catch (UcxException e) {
      connection.fail("UCX cannot use the key of " + key.region() + ": " + e.getMessage());
    }
  }

  void denied(RemoteRegion region) {
    RemoteKey key = keys.get(region);
    if (key != null) {
      key.deny();
      connection.pump();
    }
  }

  /** The owner wants a region back. */
  void revoked(RemoteRegion region) {
    RemoteKey key = keys.get(region);
    if (key == null) {
      outbox.send(Frame.Type.RETURN, region);
    } else {
      key.revoke();
      giveBackIfUnused(key);
    }
  }

  /** An operation in the region has ended. */
  void ended(RemoteKey key) {
    key.ended();
    if (key.state() == RemoteKey.State.REVOKED) {
      connection.ifOpen(() -> giveBackIfUnused(key));
    }
  }

  private void giveBackIfUnused(RemoteKey key) {
    if (key.isUnused()) {
      // A write that has ended may still be on its way.
      flushThen(() -> connection.ifOpen(() -> giveBack(key)));
    }
  }

  private void giveBack(RemoteKey key) {
    if (keys.remove(key.region(), key)) {
      key.close();
      outbox.send(Frame.Type.RETURN, key.region());
    }
  }

  /** Runs something when UCX has flushed what has been begun until now; not at all if it fails. */
  void flushThen(Runnable then) {
    Flushed flushed = new Flushed(then);
    try {
      endpoint.flushNonBlocking(flushed);
    } catch (UcxException e) {
      flushed.onError(e.getStatus(), e.getMessage());
    }
  }

  /** Gives all keys free, when nothing is under way any longer. */
  void close() {
    keys.values().forEach(RemoteKey::close);
    keys.clear();
  }

  private final class Flushed extends UcxCallback {

    private final Runnable then;

    Flushed(Runnable then) {
      this.then = then;
    }

    @Override
    public void onSuccess(UcpRequest request) {
      connection.loop().afterCall(then);
    }

    @Override
    public void onError(int status, String message) {
      connection.loop().afterCall(() -> connection.fail("UCX cannot flush: " + message));
    }
  }
}
