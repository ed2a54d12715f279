// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * Does what another connection does, for those who watch or disturb a part of it. Thread-safe as
 * that is.
 */
public class ForwardingConnection implements Connection {

  private final Connection connection;

  /** In front of a connection. */
  public ForwardingConnection(Connection connection) {
    this.connection = connection;
  }

  @Override
  public InetSocketAddress remoteAddress() {
    return connection.remoteAddress();
  }

  @Override
  public int maxOutstanding() {
    return connection.maxOutstanding();
  }

  @Override
  public int maxMessageBytes() {
    return connection.maxMessageBytes();
  }

  @Override
  public void read(
      RemoteRegion from,
      long offset,
      MemoryRegion into,
      int position,
      int length,
      Completion completion) {
    connection.read(from, offset, into, position, length, completion);
  }

  @Override
  public void write(
      MemoryRegion from,
      int position,
      int length,
      RemoteRegion to,
      long offset,
      Completion completion) {
    connection.write(from, position, length, to, offset, completion);
  }

  @Override
  public void flush(Completion completion) {
    connection.flush(completion);
  }

  @Override
  public void send(ByteBuffer message, Completion completion) {
    connection.send(message, completion);
  }

  @Override
  public boolean isOpen() {
    return connection.isOpen();
  }

  @Override
  public boolean peerMayWrite() {
    return connection.peerMayWrite();
  }

  @Override
  public void close() {
    connection.close();
  }
}
