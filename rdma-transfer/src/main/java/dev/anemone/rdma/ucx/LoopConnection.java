// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import dev.anemone.rdma.transport.RemoteRegion;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpRequest;

/**
 * The loop's side of a connection: a UCX endpoint, the operations on it, and its way from the
 * greeting to the end. On the loop's thread only, but where it says so.
 *
 * <pre>
 *   GREETING ──WELCOME or HELLO──▶ OPEN ──close, BYE──▶ LEAVING ──BYE, grace──▶ CUTTING ──▶ ENDED
 *       └──────────────────────────┴──────────── failure ──────────────────────────┘
 * </pre>
 *
 * CUTTING is UCX's closing of the endpoint by force, after which it writes to nobody's memory any
 * longer; operations that were under way end with it.
 */
final class LoopConnection {

  /** How far it is. */
  private enum State {
    GREETING,
    OPEN,
    LEAVING,
    CUTTING,
    ENDED
  }

  /** How long the peer may take to answer a farewell. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);

  /**
   * How long endpoints are left alone while a connection of this process is being made, and how
   * long one waits that is to be made while others are closed. UCX's own thread tells of a socket
   * that is being connected all the time, and takes new ones; UCX before 1.18 ends the process, or
   * writes where it may not, when it keeps such an event and the next socket has the number of one
   * that was closed.
   */
  static final long HANDSHAKE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** How long UCX may take to close an endpoint by force, which it does at once if it can. */
  private static final long CUT_NANOS = TimeUnit.SECONDS.toNanos(10);

  // In BYE.
  private static final byte UNDER_WAY = 0;
  private static final byte DONE = 1;

  private final LoopTransport transport;
  private final long number;
  private final InetSocketAddress peer;
  private final Slots slots = new Slots(this::newOperation);
  private final EndsAtOnce readsEndAtOnce = new EndsAtOnce();
  private final Pending pending = new Pending(Slots.LIMIT);
  private final Inbox inbox = new Inbox(this::deliver);
  private final LentRegions lentRegions = new LentRegions(this);
  private UcpEndpoint endpoint;
  private Outbox outbox;
  private RemoteKeys keys;
  private ConnectionEvents events;
  private State state = State.GREETING;
  private final long began = System.nanoTime();

  /** Its connection is made, or cannot be. */
  private boolean settled;

  private boolean toCut;
  private long toCutSince;
  private long since = began;
  private long deadlineNanos;
  private IOException cause;
  private UcpRequest cut;
  private volatile IOException failure;

  /** Whether the peer has said that nothing of its own is under way any longer. */
  private volatile boolean peerIsDone;

  LoopConnection(LoopTransport transport, long number, InetSocketAddress peer, long deadlineNanos) {
    this.transport = transport;
    this.number = number;
    this.peer = peer;
    this.deadlineNanos = deadlineNanos;
  }

  private Operation newOperation(int slot) {
    return new Operation(this, slot);
  }

  void setEndpoint(UcpEndpoint opened) {
    endpoint = opened;
    outbox = new Outbox(opened);
    keys = new RemoteKeys(this, opened, outbox);
  }

  /** Whether its frames come over this endpoint. */
  boolean isOn(UcpEndpoint other) {
    return endpoint.getNativeId().equals(other.getNativeId());
  }

  void setEvents(ConnectionEvents listener) {
    events = listener;
  }

  ProgressLoop loop() {
    return transport.loop();
  }

  long number() {
    return number;
  }

  /** The peer's address. Any thread. */
  InetSocketAddress peer() {
    return peer;
  }

  /** The places of users' operations. Any thread. */
  Slots slots() {
    return slots;
  }

  /** Whether reads end while UCX is called. Any thread. */
  EndsAtOnce readsEndAtOnce() {
    return readsEndAtOnce;
  }

  /** Why operations cannot be begun any longer. Any thread. */
  IOException failure() {
    IOException known = failure;
    return known == null ? problem("it is closed", null) : known;
  }

  // The greeting.

  void sendHello() {
    outbox.send(
        Frame.Type.HELLO,
        body ->
            body.putLong(Frame.MAGIC)
                .putLong(number)
                .putLong(TimeUnit.NANOSECONDS.toMillis(deadlineNanos)));
  }

  boolean isGreeting() {
    return state == State.GREETING;
  }

  /** The peer has said HELLO: the answer, after which it may send. */
  void welcome(long itsNumber, long deadlineMillis) {
    deadlineNanos = TimeUnit.MILLISECONDS.toNanos(deadlineMillis);
    outbox.setReceiver(itsNumber);
    inbox.skipFirst();
    outbox.send(Frame.Type.WELCOME, body -> body.putLong(Frame.MAGIC).putLong(number));
    state = State.OPEN;
    settled = true;
  }

  /** The peer has said HELLO, and nobody wants it: BYE is the answer. */
  void refuse(long itsNumber) {
    outbox.setReceiver(itsNumber);
    settled = true;
    leave(problem("nobody listens for it", null));
    sendBye();
  }

  /** A frame came; UCX does not promise their order. */
  void receive(long order, Frame.Type type, ByteBuffer body) {
    try {
      inbox.add(order, type, body);
    } catch (RuntimeException e) {
      // Of the user's handler, or of a frame that is shorter than its type.
      fail("a " + type + " cannot be taken", e);
    }
  }

  private void deliver(Frame.Type type, ByteBuffer body) {
    if (type == Frame.Type.BYE) {
      farewell(body.get() == DONE);
    } else if (type == Frame.Type.WELCOME && state == State.GREETING) {
      welcomed(body);
    } else if (state == State.OPEN) {
      switch (type) {
        case MESSAGE -> events.message(body);
        case OPEN -> lentRegions.opened(Frame.getRegion(body), transport.regions(), outbox);
        case GRANT -> keys.granted(Frame.getRegion(body), body);
        case DENY -> keys.denied(Frame.getRegion(body));
        case REVOKE -> keys.revoked(Frame.getRegion(body));
        case RETURN -> lentRegions.returned(Frame.getRegion(body));
        default -> fail("the peer sent a " + type + " out of turn");
      }
    }
  }

  private void welcomed(ByteBuffer body) {
    if (body.getLong() != Frame.MAGIC) {
      fail("the peer's version of this transport is another one");
      return;
    }
    outbox.setReceiver(body.getLong());
    state = State.OPEN;
    settled = true;
    events.opened();
  }

  // Operations.

  /** Takes an operation of a user's. */
  void begin(Operation operation) {
    if (state == State.OPEN) {
      pending.add(operation);
      pump();
    } else {
      operation.complete(failure());
      tellIfOver();
    }
  }

  /**
   * Gives UCX operations in their order, as long as it may have more and the peer's keys are known.
   */
  void pump() {
    for (Operation next = next(); next != null; next = next()) {
      RemoteRegion remote = next.remote();
      RemoteKey key = remote == null ? null : keys.of(remote);
      if (key == null || key.state() == RemoteKey.State.GRANTED) {
        pending.start();
        next.start(endpoint, key, outbox);
        if (next.hasEnded()) {
          transport.loop().afterCall(next);
        }
      } else if (key.state() == RemoteKey.State.OPENING) {
        return;
      } else {
        fail("the peer has closed " + remote + ", or never had it");
      }
    }
  }

  private Operation next() {
    return state == State.OPEN ? pending.next() : null;
  }

  /**
   * Gives UCX an operation in the turn of its caller, if none waits before it and the peer's key is
   * known.
   */
  Operation.Start startAtOnce(Operation operation) {
    RemoteRegion remote = operation.remote();
    RemoteKey key = remote == null || state != State.OPEN ? null : keys.granted(remote);
    if (state != State.OPEN || (remote != null && key == null) || !pending.startNow(operation)) {
      return Operation.Start.NOT_YET;
    }
    operation.start(endpoint, key, outbox);
    if (!operation.hasEnded()) {
      operation.begin();
      return Operation.Start.UNDER_WAY;
    }
    if (operation.error() != null) {
      transport.loop().afterCall(operation);
      return Operation.Start.UNDER_WAY;
    }
    pending.ended(operation);
    if (key != null) {
      key.ended();
    }
    return Operation.Start.SETTLED;
  }

  /** An operation has ended in its caller's turn, which is over. On the caller's thread. */
  void settled(Operation operation) {
    boolean taken = true;
    try {
      ProgressLoop.callBack(operation.completion());
    } catch (RuntimeException e) {
      taken = loop().submit(() -> fail("a completion has thrown an exception", e));
    } finally {
      operation.finish();
      if (slots.isClosed()) {
        taken &= loop().submit(this::tellIfOver);
      }
    }
    // When the loop takes nothing any more, the connection has ended with it.
    assert taken || slots.isClosed();
  }

  /** UCX has ended an operation. */
  void ended(Operation operation) {
    if (state == State.ENDED) {
      return; // completed with the connection
    }
    pending.ended(operation);
    if (operation.key() != null) {
      keys.ended(operation.key());
    }
    if (state == State.OPEN && operation.error() != null) {
      fail(operation + ": " + operation.error());
    }
    complete(operation, operation.error() == null ? null : failure());
    pump();
  }

  private void complete(Operation operation, IOException why) {
    try {
      operation.complete(why);
    } catch (RuntimeException e) {
      fail("a completion has thrown an exception", e);
    }
  }

  // Time.

  /** Looks after deadlines; returns whether there are any. */
  boolean tick(long now) {
    switch (state) {
      case GREETING -> {
        if (now - since > deadlineNanos) {
          fail("no answer within " + millis(deadlineNanos));
        }
        return true;
      }
      case OPEN -> {
        return tickOpen(now);
      }
      case LEAVING -> {
        if (toCut || now - since > GRACE_NANOS) {
          cut();
        }
        return true;
      }
      case CUTTING -> {
        if (cut.isCompleted() || now - since > CUT_NANOS) {
          end();
        }
        return true;
      }
      default -> {
        return false;
      }
    }
  }

  private boolean tickOpen(long now) {
    Operation oldest = pending.oldest();
    if (oldest != null && now - oldest.beganNanos() > deadlineNanos) {
      fail(oldest + " did not end within " + millis(deadlineNanos));
    } else if (lentRegions.isOverdue(now, deadlineNanos)) {
      fail("the peer did not give a closed region back within " + millis(deadlineNanos));
    }
    return oldest != null || lentRegions.areWanted();
  }

  private static String millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos) + " ms";
  }

  // Regions of this side.

  /**
   * Asks the peer for a region back; {@link UcxRegion#returnedBy} follows, at the latest at the
   * end.
   */
  void wantBack(UcxRegion region) {
    if (state == State.OPEN) {
      lentRegions.wantBack(region, outbox);
    }
  }

  // The end.

  /**
   * Runs something, unless the connection has come to its end: UCX may not be called any longer.
   */
  void ifOpen(Runnable work) {
    if (state == State.OPEN) {
      work.run();
    }
  }

  /** The user closes it. */
  void close() {
    if (state == State.OPEN) {
      leave(null);
      sendBye();
    } else if (state == State.GREETING) {
      fail("it was closed");
    }
  }

  private void sendBye() {
    outbox.send(Frame.Type.BYE, body -> body.put(pending.isNothingInFlight() ? DONE : UNDER_WAY));
  }

  /** Whether the peer may still write into memory that it has mapped. Any thread. */
  boolean peerMayWrite() {
    return !peerIsDone;
  }

  /** The peer sends nothing more. */
  private void farewell(boolean done) {
    peerIsDone = done;
    if (state == State.GREETING) {
      settled = true;
      fail("nobody listens there any longer", new ConnectException("it was refused"));
    } else if (state == State.OPEN) {
      leave(problem("the peer has closed it", null));
      sendBye();
      // What has been sent, the answer too, is on its way when UCX has flushed the endpoint.
      keys.flushThen(this::cut);
    } else if (state == State.LEAVING) {
      transport.loop().afterCall(this::cut);
    }
  }

  private void leave(IOException why) {
    failure = why;
    slots.close();
    state = State.LEAVING;
    since = System.nanoTime();
    failWaiting();
  }

  /** UCX's error handler: the peer is gone. */
  void broken(String message) {
    settled = true;
    if (state == State.LEAVING) {
      cut();
    } else if (state == State.GREETING) {
      fail("nobody answers: " + message, new ConnectException(message));
    } else {
      fail(message);
    }
  }

  void fail(String why) {
    fail(why, null);
  }

  private void fail(String why, Throwable from) {
    if (state != State.GREETING && state != State.OPEN) {
      return;
    }
    cause = problem(why, from);
    failure = cause;
    slots.close();
    // Set first: completions may come back to this connection.
    state = State.LEAVING;
    failWaiting();
    transport.loop().afterCall(this::cut);
  }

  private void failWaiting() {
    pending.drainWaiting(operation -> complete(operation, failure()));
  }

  /** Makes UCX end all that is under way. */
  private void cut() {
    if (state != State.LEAVING) {
      return;
    }
    long now = System.nanoTime();
    if (!toCut) {
      toCut = true;
      toCutSince = now;
    }
    if (transport.isAnyConnecting(now) && now - toCutSince < HANDSHAKE_NANOS) {
      return;
    }
    state = State.CUTTING;
    since = now;
    loop().settle();
    try {
      cut = endpoint.closeNonBlockingForce();
      loop().settle();
    } catch (UcxException e) {
      cause = cause == null ? problem("UCX cannot close the endpoint", e) : cause;
      end();
    }
  }

  /** Whether it is being made, unless that takes long. */
  boolean isConnecting(long now) {
    return !settled && now - began < HANDSHAKE_NANOS;
  }

  /** Whether UCX is closing its endpoint, unless that takes long. */
  boolean isBeingCut(long now) {
    return state == State.CUTTING && now - since < HANDSHAKE_NANOS;
  }

  /** No operation touches memory any longer. */
  private void end() {
    state = State.ENDED;
    pending.drainInFlight(operation -> complete(operation, failure()));
    keys.close();
    lentRegions.close();
    tellIfOver();
  }

  /** The loop has died: UCX can be asked for nothing any longer. */
  void abandon(Throwable why) {
    cause = problem("UCX's thread has ended", why);
    failure = cause;
    slots.close();
    failWaiting();
    end();
  }

  private void tellIfOver() {
    if (state == State.ENDED && slots.isDrained() && transport.remove(this)) {
      if (events != null) {
        events.closed(cause);
      }
      transport.leaveIfIdle();
    }
  }

  private IOException problem(String what, Throwable from) {
    return new IOException("connection to " + peer + " over ucx: " + what, from);
  }
}
