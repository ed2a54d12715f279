// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * The regions that peers may name. A key is the place in this table, and a random number of 128
 * bits: who has not been told it does not get at the memory. Thread-safe.
 */
final class RegionTable {

  private static final SecureRandom RANDOM = new SecureRandom();

  private volatile TcpRegion[] regions = new TcpRegion[0];
  private boolean closed;

  /** Adds memory, at the first free place. */
  synchronized TcpRegion add(ByteBuffer memory) throws IOException {
    if (closed) {
      throw TcpTransport.closedException();
    }
    int slot = 0;
    while (slot < regions.length && regions[slot] != null) {
      slot++;
    }
    TcpRegion region = new TcpRegion(this, memory, slot, RANDOM.nextLong(), RANDOM.nextLong());
    TcpRegion[] changed = Arrays.copyOf(regions, Math.max(slot + 1, regions.length));
    changed[slot] = region;
    regions = changed;
    return region;
  }

  synchronized void remove(TcpRegion region) {
    TcpRegion[] changed = regions.clone();
    changed[region.slot()] = null;
    regions = changed;
  }

  /** Takes no more regions; says how many are left. */
  synchronized int close() {
    closed = true;
    int left = 0;
    for (TcpRegion region : regions) {
      left += region == null ? 0 : 1;
    }
    return left;
  }

  /** The region of a key, or null where there is none. */
  TcpRegion find(long slot, long secret1, long secret2) {
    TcpRegion[] current = regions;
    if (slot < 0 || slot >= current.length) {
      return null;
    }
    TcpRegion region = current[(int) slot];
    return region != null && region.opensWith(secret1, secret2) ? region : null;
  }
}
