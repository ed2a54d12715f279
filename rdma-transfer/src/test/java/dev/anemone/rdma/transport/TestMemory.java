// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Whose memory a region is. */
enum TestMemory {
  /** The transport's. */
  ALLOCATED {
    @Override
    MemoryRegion open(Transport transport, int bytes) throws IOException {
      return transport.allocate(bytes);
    }
  },

  /** The user's. */
  FOREIGN {
    @Override
    MemoryRegion open(Transport transport, int bytes) throws IOException {
      return transport.register(ByteBuffer.allocateDirect(bytes));
    }
  };

  abstract MemoryRegion open(Transport transport, int bytes) throws IOException;
}
