// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * A network that moves bytes between registered memory of two processes. A process that lets others
 * read its memory registers it, listens, and tells its peers the {@linkplain MemoryRegion#remote()
 * key}; they connect, and read and write without a thread of this process's user taking part (the
 * one-sided verbs of RDMA; where hardware does not do it, a thread of the transport's does).
 *
 * <p>Thread-safe. Every implementation passes {@code TransportContract}, in this module's tests.
 */
public interface Transport extends AutoCloseable {

  /**
   * Where memory that a transport allocates begins is a multiple of these. Some processors copy
   * many times slower to an address that lies less than 64 bytes behind the source's within a page,
   * as that of a direct buffer does.
   */
  int PAGE_BYTES = 4096;

  /** The most bytes that can be allocated in one piece. */
  int MAX_ALLOCATION_BYTES = Integer.MAX_VALUE - 2 * PAGE_BYTES;

  /** The name that users ask for it by: {@code tcp}, {@code ucx}. */
  String name();

  /**
   * Registers memory, so that it can be the local side of this process's reads and writes, and the
   * remote side of its peers'. Dear (it pins pages): register few, large pieces, once.
   *
   * @param memory a direct buffer; its bytes from 0 to its capacity are registered, whatever its
   *     position and limit. The caller keeps it alive until the region is closed.
   * @throws IllegalArgumentException when the buffer is not direct
   * @throws IOException when the network cannot take it, with the reason (such as the limit of
   *     locked memory)
   */
  MemoryRegion register(ByteBuffer memory) throws IOException;

  /**
   * Registers memory of the transport's own, which peers reach in the fastest way that there is:
   * over shared memory their processes map it, where memory that is only {@linkplain
   * #register(ByteBuffer) registered} is reached through messages. It is zeroed, begins at a page
   * of {@value #PAGE_BYTES} bytes, and stays until the region is closed and nothing refers to
   * {@link MemoryRegion#memory()} or a view of it any longer: then it is freed with the garbage.
   *
   * @param bytes at least 1, at most {@link #MAX_ALLOCATION_BYTES}
   * @throws IllegalArgumentException when it is another number
   * @throws IOException when there is not so much memory, or the network cannot take it
   */
  default MemoryRegion allocate(int bytes) throws IOException {
    if (bytes < 1 || bytes > MAX_ALLOCATION_BYTES) {
      throw new IllegalArgumentException("an allocation of " + bytes + " bytes");
    }
    int pages = (bytes + PAGE_BYTES - 1) / PAGE_BYTES;
    try {
      ByteBuffer room = ByteBuffer.allocateDirect((pages + 1) * PAGE_BYTES);
      return register(room.alignedSlice(PAGE_BYTES).slice(0, bytes));
    } catch (OutOfMemoryError e) {
      throw new IOException(
          "there is no direct memory for "
              + bytes
              + " bytes; give the JVM a larger -XX:MaxDirectMemorySize",
          e);
    }
  }

  /**
   * Waits for connections.
   *
   * @param address port 0 takes a free one
   * @throws IOException when the address is taken, or not this machine's, or its host not known
   */
  Listener listen(InetSocketAddress address, Acceptor acceptor) throws IOException;

  /**
   * Connects to a listener of a transport of the same name, and waits for it.
   *
   * @param handler gets the peer's messages, and the end of the connection
   * @param deadline after which it gives up, and which each later operation on the connection has;
   *     from 1 ms to {@link Connection#LONGEST_DEADLINE}
   * @throws IllegalArgumentException when the deadline is another one
   * @throws IOException when there is nobody, when it is a transport of another name or version, or
   *     when the deadline is over; the message has the address and which of these it was
   */
  Connection connect(InetSocketAddress address, MessageHandler handler, Duration deadline)
      throws IOException;

  /**
   * Closes the connections and the listeners; from then on, whatever needs the network is an {@link
   * IOException}. The regions must have been closed before. Not to be called by a completion or a
   * handler. Does nothing the second time.
   *
   * @throws IllegalStateException when regions are still registered: their number; all else is
   *     closed nevertheless, and so can they be
   */
  @Override
  void close();
}
