// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import dev.anemone.rdma.transport.Completion;
import dev.anemone.rdma.transport.RemoteRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.openucx.jucx.UcxCallback;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpRequest;

/**
 * A place for one operation of a user's at a time, used again for later ones. It is filled by the
 * thread that calls, which begins it by itself when it gets UCX's turn at once; if it does not, or
 * the operation does not end there, it belongs to the loop's thread until its completion is called.
 */
final class Operation extends UcxCallback implements Runnable {

  /** Id of all active messages of this transport. */
  static final int AM_ID = 1;

  private enum Kind {
    READ,
    WRITE,
    FLUSH,
    SEND
  }

  /** What has become of it in a caller's turn. */
  enum Start {
    /** It has ended well, and nobody has been told. */
    SETTLED,
    /** The loop sees to its end. */
    UNDER_WAY,
    /** It has to go through the loop: others wait before it, or it has no key. */
    NOT_YET
  }

  private final LoopConnection connection;
  private final int slot;
  private Kind kind;
  private UcxRegion local;
  private long localAddress;
  private int length;
  private RemoteRegion remote;
  private long offset;
  private ByteBuffer frame;
  private Completion completion;
  private long beganNanos;
  private RemoteKey key;
  private int place;
  private boolean starting;
  private boolean ended;
  private String error;

  Operation(LoopConnection connection, int slot) {
    this.connection = connection;
    this.slot = slot;
  }

  void read(RemoteRegion from, long offset, UcxRegion into, int position, int length) {
    kind = Kind.READ;
    range(into, position, length, from, offset);
  }

  void write(UcxRegion from, int position, int length, RemoteRegion to, long offset) {
    kind = Kind.WRITE;
    range(from, position, length, to, offset);
  }

  private void range(UcxRegion region, int position, int bytes, RemoteRegion peers, long at) {
    local = region;
    localAddress = region.address() + position;
    length = bytes;
    remote = peers;
    offset = at;
  }

  void flush() {
    kind = Kind.FLUSH;
  }

  /** Copies the message. */
  void send(ByteBuffer message) {
    kind = Kind.SEND;
    if (frame == null) {
      frame = ByteBuffer.allocateDirect(Frame.HEADER_BYTES + Frame.MAX_MESSAGE_BYTES);
    }
    frame.clear().position(Frame.HEADER_BYTES);
    frame.put(message.duplicate()).flip();
  }

  /** Begins the operation, or has the loop begin it. */
  void submit(ProgressLoop loop, Completion told) {
    completion = told;
    ended = false;
    error = null;
    switch (hasTurn(loop) ? startInTurn(loop) : Start.NOT_YET) {
      case SETTLED -> connection.settled(this);
      case UNDER_WAY -> {
        // It may have ended by now, and be another's already.
      }
      case NOT_YET -> {
        begin();
        if (!loop.submit(this)) {
          release().completed(connection.failure());
        }
      }
    }
  }

  /** Waits for the turn if the operation is likely to end in it; else takes it if it is free. */
  private boolean hasTurn(ProgressLoop loop) {
    boolean isEndingLater = kind == Kind.READ && !connection.readsEndAtOnce().isLikely();
    return isEndingLater ? loop.takeFreeTurn() : loop.takeTurn();
  }

  private Start startInTurn(ProgressLoop loop) {
    Start start = Start.UNDER_WAY;
    try {
      start = connection.startAtOnce(this);
      return start;
    } finally {
      loop.endTurn(start != Start.UNDER_WAY);
    }
  }

  /** On the loop's thread: first begins the operation; when UCX has ended it, completes it. */
  @Override
  public void run() {
    if (ended) {
      connection.ended(this);
    } else {
      connection.begin(this);
    }
  }

  /** Its time begins. */
  void begin() {
    beganNanos = System.nanoTime();
  }

  /** The memory that the operation needs the peer's key of, or null. */
  RemoteRegion remote() {
    return remote;
  }

  /** Its number among the connection's operations, or {@link Slots#BEYOND}. */
  int slot() {
    return slot;
  }

  long beganNanos() {
    return beganNanos;
  }

  /** Where it is among those that UCX has. */
  int place() {
    return place;
  }

  void setPlace(int index) {
    place = index;
  }

  /** The key that it was started with, or null. */
  RemoteKey key() {
    return key;
  }

  /**
   * Hands the operation to UCX, which may have ended it at once; if it has, nobody is told of it.
   */
  void start(UcpEndpoint endpoint, RemoteKey granted, Outbox outbox) {
    key = granted;
    if (key != null) {
      key.began();
    }
    if (kind == Kind.READ || kind == Kind.WRITE) {
      connection.loop().transfers();
    }
    starting = true;
    try {
      hand(endpoint, outbox);
    } catch (UcxException e) {
      onError(e.getStatus(), e.getMessage());
    }
    starting = false;
    if (kind == Kind.READ) {
      connection.readsEndAtOnce().learn(ended);
    }
  }

  private void hand(UcpEndpoint endpoint, Outbox outbox) {
    switch (kind) {
      case READ -> {
        if (key.isReadByCopy(length)) {
          endpoint.getNonBlockingImplicit(key.address() + offset, key.ucx(), localAddress, length);
          ended = true;
        } else {
          endpoint.getNonBlocking(
              key.address() + offset, key.ucx(), localAddress, length, this, local.params());
          if (ended && error == null) {
            key.readAtOnce(length);
          }
        }
      }
      case WRITE -> {
        if (key.isWrittenByCopy(length)) {
          endpoint.putNonBlockingImplicit(localAddress, length, key.address() + offset, key.ucx());
          ended = true;
        } else {
          endpoint.putNonBlocking(
              localAddress, length, key.address() + offset, key.ucx(), this, local.params());
          if (ended && error == null) {
            key.writtenAtOnce(length, endpoint);
          }
        }
      }
      case FLUSH -> endpoint.flushNonBlocking(this);
      case SEND -> {
        outbox.putHeader(frame.duplicate().position(0), Frame.Type.MESSAGE);
        endpoint.sendAmNonBlocking(
            AM_ID,
            0,
            0,
            UcxUtils.getAddress(frame),
            frame.limit(),
            Outbox.FLAGS,
            this,
            Outbox.HOST_MEMORY);
      }
    }
  }

  @Override
  public void onSuccess(UcpRequest request) {
    end(null);
  }

  // Where UCX refuses an operation at once, the binding calls this and throws too: the first
  // counts.
  @Override
  public void onError(int status, String message) {
    end(message);
  }

  private void end(String why) {
    if (!ended) {
      ended = true;
      error = why;
      if (!starting) {
        connection.loop().afterCall(this);
      }
    }
  }

  /** Whether UCX has ended it. */
  boolean hasEnded() {
    return ended;
  }

  /** Why UCX failed it, or null when it has not. */
  String error() {
    return error;
  }

  /** The one that is to be told. */
  Completion completion() {
    return completion;
  }

  /** Gives the place free; the completion has been called. */
  void finish() {
    Completion told = release();
    assert told != null;
  }

  /** Gives the place free and calls the completion. */
  void complete(IOException failure) {
    release().completed(failure);
  }

  private Completion release() {
    Completion told = completion;
    completion = null;
    local = null;
    remote = null;
    key = null;
    connection.slots().release(slot);
    return told;
  }

  @Override
  public String toString() {
    return kind + (remote == null ? "" : " of " + length + " bytes at " + offset);
  }
}
