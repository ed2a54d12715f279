// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.buffer;

import dev.anemone.rdma.transport.MemoryRegion;

/** A buffer's part of a region. */
record Piece(MemoryRegion region, int position, int length) {}
