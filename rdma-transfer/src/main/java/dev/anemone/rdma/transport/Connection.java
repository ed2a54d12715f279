// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * A connection to one peer. Operations are asynchronous: a call returns as soon as the operation is
 * under way, and its {@link Completion} is called once, when it has ended. At most {@link
 * #maxOutstanding()} are under way at a time; a call beyond that waits until one has ended
 * (back-pressure), unless it comes from a completion or a message handler, where waiting could be
 * for itself: there the operation is queued. An operation that has not ended at the connection's
 * deadline fails, and the connection with it, since nobody knows any longer what it still writes.
 * On a connection that is not open, operations fail at once, by their completions.
 *
 * <p>Reads and writes may overtake each other; {@link #flush} orders them. Messages keep their
 * order, and a message sent after a flush has completed comes after what was flushed.
 *
 * <p>Thread-safe.
 */
public interface Connection extends AutoCloseable {

  /** The longest deadline that a connection can have, about 24 days; the shortest is 1 ms. */
  Duration LONGEST_DEADLINE = Duration.ofMillis(Integer.MAX_VALUE);

  /** The peer's address. */
  InetSocketAddress remoteAddress();

  /** Operations that can be under way at a time. */
  int maxOutstanding();

  /** Bytes that a message can have, at least 4,096. */
  int maxMessageBytes();

  /**
   * Reads remote memory into local memory. The local range is the transport's until the completion
   * is called.
   *
   * @param from the peer's memory
   * @param offset in it, bytes
   * @param into registered with this connection's transport
   * @param position in it, bytes
   * @param length bytes, at least 1
   * @throws IndexOutOfBoundsException when a range is empty or not within its memory
   */
  void read(
      RemoteRegion from,
      long offset,
      MemoryRegion into,
      int position,
      int length,
      Completion completion);

  /**
   * Writes local memory to remote memory. When the completion is called, the local range may be
   * used again; that the bytes can be seen at the peer is known after a {@link #flush}.
   *
   * @param from registered with this connection's transport
   * @param position in it, bytes
   * @param length bytes, at least 1
   * @param to the peer's memory
   * @param offset in it, bytes
   * @throws IndexOutOfBoundsException when a range is empty or not within its memory
   */
  void write(
      MemoryRegion from,
      int position,
      int length,
      RemoteRegion to,
      long offset,
      Completion completion);

  /** Completes when the peer sees every write whose call has returned before this one's began. */
  void flush(Completion completion);

  /**
   * Sends a message.
   *
   * @param message its bytes from position to limit are copied before the call returns
   * @throws IllegalArgumentException when it is longer than {@link #maxMessageBytes()}
   */
  void send(ByteBuffer message, Completion completion);

  /** Whether operations can be begun; false from the first failure on. */
  boolean isOpen();

  /**
   * After the end: whether the peer may nevertheless still write into this process's memory. That
   * is so where it has mapped it and copies by itself, unless it has said that it does so no
   * longer: one that was stopped meanwhile goes on with its copy.
   */
  default boolean peerMayWrite() {
    return false;
  }

  /**
   * Ends the connection; operations under way fail. Their completions and {@link
   * MessageHandler#onClosed} may be called after it has returned. Does nothing the second time.
   */
  @Override
  void close();
}
