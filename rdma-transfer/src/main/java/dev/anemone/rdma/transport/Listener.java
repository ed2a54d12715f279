// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

import java.net.InetSocketAddress;

/** Accepts connections until it is closed; those that it accepted stay open. Thread-safe. */
public interface Listener extends AutoCloseable {

  /** The address with the port that it got. */
  InetSocketAddress address();

  @Override
  void close();
}
