// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

import java.nio.ByteBuffer;

/** Memory of this process that is registered with a {@link Transport}. Thread-safe. */
public interface MemoryRegion extends AutoCloseable {

  /** The memory: a view of all of it, whose position and limit are the caller's. */
  ByteBuffer memory();

  /** What a peer needs to read and write it. */
  RemoteRegion remote();

  /**
   * Ends the registration; peers' operations on it fail from now on. No operation of this process
   * may be using it. Does nothing the second time.
   */
  @Override
  void close();
}
