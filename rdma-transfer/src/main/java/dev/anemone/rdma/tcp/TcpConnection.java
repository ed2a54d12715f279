// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.tcp;

import dev.anemone.rdma.transport.Completion;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.rdma.transport.RemoteRegion;
import io.netty.channel.nio.NioEventLoop;
import io.netty.channel.nio.NioTask;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A connection: {@link Outgoing} writes, {@link Incoming} reads, and this is its life. It ends in
 * three steps: nothing more is begun; when no thread writes, the event loop tells the peer, and
 * those who wait; when the peer has hung up, or after a second, the socket is closed, since closing
 * it with bytes unread would take from the peer what it has not read.
 */
final class TcpConnection implements Connection, NioTask<SelectableChannel> {

  /**
   * In which the peer reads what was sent last; the connection has ended by then, so it is no
   * option.
   */
  private static final long LINGER_MILLIS = 1_000;

  private static final long CHECKS_PER_DEADLINE = 8;

  private final TcpTransport transport;
  private final SocketChannel channel;
  private final InetSocketAddress remoteAddress;
  private final NioEventLoop loop;
  private final int deadlineMillis;
  private final Promise<Void> ended;
  private final Outgoing outgoing = new Outgoing(this);
  private final Runnable resume = outgoing::resume;
  private final Runnable awaitWritable = this::awaitWritable;

  /** Why it ended; written before {@link #open} becomes false. */
  private volatile IOException cause;

  private volatile boolean open = true;

  // The event loop's own.
  private MessageHandler handler;
  private Incoming incoming;
  private SelectionKey key;
  private ScheduledFuture<?> checks;
  private boolean saysBye = true;
  private boolean told;
  private boolean reading;

  TcpConnection(
      TcpTransport transport,
      SocketChannel channel,
      InetSocketAddress remoteAddress,
      NioEventLoop loop,
      int deadlineMillis) {
    this.transport = transport;
    this.channel = channel;
    this.remoteAddress = remoteAddress;
    this.loop = loop;
    this.deadlineMillis = deadlineMillis;
    this.ended = loop.newPromise();
  }

  /** Its socket is registered with its event loop, on which this is called. */
  void registered(SelectionKey registration) {
    key = registration;
  }

  /** Begins to read; on the event loop, before its socket is ready for the first time. */
  void start(MessageHandler receiver) {
    handler = receiver;
    incoming = new Incoming(this, transport.regions(), receiver);
    long period = Math.min(1_000, Math.max(1, deadlineMillis / CHECKS_PER_DEADLINE));
    checks =
        loop.scheduleWithFixedDelay(this::checkDeadline, period, period, TimeUnit.MILLISECONDS);
  }

  @Override
  public InetSocketAddress remoteAddress() {
    return remoteAddress;
  }

  @Override
  public int maxOutstanding() {
    return Outgoing.LIMIT;
  }

  @Override
  public int maxMessageBytes() {
    return Incoming.LONGEST_MESSAGE;
  }

  @Override
  public void read(
      RemoteRegion from,
      long offset,
      MemoryRegion into,
      int position,
      int length,
      Completion completion) {
    transfer(Opcode.READ, into, position, length, from, offset, completion);
  }

  @Override
  public void write(
      MemoryRegion from,
      int position,
      int length,
      RemoteRegion to,
      long offset,
      Completion completion) {
    transfer(Opcode.WRITE, from, position, length, to, offset, completion);
  }

  private void transfer(
      Opcode opcode,
      MemoryRegion region,
      int position,
      int length,
      RemoteRegion remote,
      long offset,
      Completion completion) {
    Objects.requireNonNull(completion, "completion");
    TcpRegion local = transport.own(region);
    if (!local.has(position, length)) {
      throw outside(position, length, local.remote().length());
    }
    if (offset < 0 || offset > remote.length() - length) {
      throw outside(offset, length, remote.length());
    }
    TcpRegion.checkKey(remote);
    Frame frame = outgoing.take();
    if (frame == null) {
      complete(completion, failure());
    } else {
      frame.set(opcode, length, 0, completion).at(remote, offset);
      begin(frame.withMemory(local, position, length));
    }
  }

  private static IndexOutOfBoundsException outside(long offset, int length, long size) {
    return new IndexOutOfBoundsException(
        length + " bytes from " + offset + " are not within the " + size + " of the region");
  }

  @Override
  public void flush(Completion completion) {
    Objects.requireNonNull(completion, "completion");
    Frame frame = outgoing.take();
    if (frame == null) {
      complete(completion, failure());
    } else {
      begin(frame.set(Opcode.FLUSH, 0, 0, completion));
    }
  }

  @Override
  public void send(ByteBuffer message, Completion completion) {
    Objects.requireNonNull(completion, "completion");
    int length = message.remaining();
    if (length > Incoming.LONGEST_MESSAGE) {
      throw new IllegalArgumentException(
          "a message of "
              + length
              + " bytes; at most "
              + Incoming.LONGEST_MESSAGE
              + " can be sent");
    }
    Frame frame = outgoing.take();
    if (frame == null) {
      complete(completion, failure());
    } else {
      begin(frame.set(Opcode.MESSAGE, length, 0, completion).withMessage(message));
    }
  }

  private void begin(Frame frame) {
    if (!outgoing.begin(frame)) {
      complete(frame.completion(), failure());
    }
  }

  /** Tells of the end of an operation. */
  void complete(Completion completion, IOException failure) {
    Callbacks.enter();
    try {
      completion.completed(failure);
    } catch (RuntimeException e) {
      fail(new IOException("a completion failed: " + e, e));
    } finally {
      Callbacks.leave();
    }
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() {
    end(null);
  }

  /** Ends it, since it does not work any longer. */
  void fail(IOException why) {
    end(
        new IOException(
            "the connection to " + remoteAddress + " failed: " + why.getMessage(), why));
  }

  /** Ends it, since the peer has closed it; on the event loop. */
  void peerClosed() {
    saysBye = false;
    end(null);
  }

  private void end(IOException why) {
    if (!outgoing.close(() -> markEnded(why))) {
      return;
    }
    loop.execute(this::tell);
  }

  private void markEnded(IOException why) {
    cause = why;
    open = false;
  }

  private IOException failure() {
    IOException why = cause;
    return new IOException(
        why == null ? "the connection to " + remoteAddress + " is closed" : why.getMessage(), why);
  }

  /** The last thread that wrote has seen that the connection has ended. */
  void writerLeft() {
    loop.execute(this::tell);
  }

  /** The second step of the end. */
  private void tell() {
    if (told || !outgoing.isIdle()) {
      return;
    }
    told = true;
    checks.cancel(false);
    boolean lingers = saysBye && sayFarewell();
    IOException failure = failure();
    outgoing.abandon().forEach(completion -> complete(completion, failure));
    Callbacks.enter();
    try {
      handler.onClosed(this, cause);
    } finally {
      Callbacks.leave();
      if (lingers) {
        checks = loop.schedule(this::closeSocket, LINGER_MILLIS, TimeUnit.MILLISECONDS);
      } else {
        closeSocket();
      }
    }
  }

  /** Tells the peer why; false when it cannot be told. */
  private boolean sayFarewell() {
    if (!outgoing.isBetweenFrames()) {
      return false;
    }
    if (cause == null) {
      return Farewell.say(channel, null);
    }
    return cause.getCause() instanceof ViolationException violation
        && Farewell.say(channel, violation);
  }

  private void closeSocket() {
    checks.cancel(false);
    transport.forget(this);
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("the socket to " + remoteAddress + " cannot be closed", e);
    } finally {
      ended.trySuccess(null);
    }
  }

  /** Done when the socket is closed. */
  Future<Void> ended() {
    return ended;
  }

  @Override
  public void channelReady(SelectableChannel socket, SelectionKey selected) {
    key = selected;
    int ready = selected.readyOps();
    if ((ready & SelectionKey.OP_WRITE) != 0) {
      selected.interestOps(SelectionKey.OP_READ);
      outgoing.resume();
    }
    if ((ready & SelectionKey.OP_READ) == 0) {
      return;
    }
    if (told) {
      discard();
    } else if (open) {
      read();
    }
  }

  private void read() {
    reading = true;
    try {
      incoming.read();
    } catch (IOException e) {
      fail(e);
    } finally {
      reading = false;
    }
    outgoing.drain();
  }

  private void discard() {
    boolean more;
    try {
      more = incoming.discard();
    } catch (IOException e) {
      // The peer has hung up, which is what this waits for.
      more = false;
    }
    if (!more) {
      closeSocket();
    }
  }

  @Override
  public void channelUnregistered(SelectableChannel socket, Throwable why) {
    // The event loop has ended, or the socket was closed here: then this does nothing.
    end(new IOException("the transport was closed"));
    tell();
  }

  private void checkDeadline() {
    long now = System.nanoTime();
    if (now - outgoing.oldestNanos(now) > TimeUnit.MILLISECONDS.toNanos(deadlineMillis)) {
      fail(new IOException("an operation did not end within " + deadlineMillis + " ms"));
    }
  }

  /** Lets the event loop write on, at once or when the socket takes more. */
  void resumeOnLoop(boolean whenWritable) {
    if (!whenWritable) {
      loop.execute(resume);
    } else if (loop.inEventLoop()) {
      awaitWritable();
    } else {
      loop.execute(awaitWritable);
    }
  }

  private void awaitWritable() {
    // Without a key it is not registered yet; the first that happens then is that it is writable.
    if (key != null && key.isValid()) {
      key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
    }
  }

  /** Whether the calling thread will call {@link Outgoing#drain} soon. */
  boolean isReading() {
    return loop.inEventLoop() && reading;
  }

  boolean isOnLoop() {
    return loop.inEventLoop();
  }

  SocketChannel channel() {
    return channel;
  }

  Outgoing outgoing() {
    return outgoing;
  }

  @Override
  public String toString() {
    return "tcp connection to " + remoteAddress;
  }
}
