// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.protocol;

import dev.anemone.rdma.pool.TierKind;
import dev.anemone.rdma.transport.RemoteRegion;
import java.nio.ByteBuffer;

/**
 * A region of a server: pages, one behind the other, registered or not.
 *
 * @param firstPage number of its first page
 * @param pages how many
 * @param length bytes
 * @param key what the transport needs to reach it; no bytes when the server reads and writes it
 */
public record RegionInfo(TierKind tier, int firstPage, int pages, long length, ByteBuffer key) {
  private static final ByteBuffer NO_KEY = ByteBuffer.allocate(0).asReadOnlyBuffer();

  /** A region that one's transport has registered. */
  public static RegionInfo of(TierKind tier, int firstPage, int pages, RemoteRegion region) {
    return new RegionInfo(tier, firstPage, pages, region.length(), region.key());
  }

  /** A region that the server reads and writes for its clients. */
  public static RegionInfo served(TierKind tier, int firstPage, int pages, long length) {
    return new RegionInfo(tier, firstPage, pages, length, NO_KEY);
  }

  /** Whether the server has to be asked to read and write it. */
  public boolean isServed() {
    return !key.hasRemaining();
  }

  /** The region, for one's transport. */
  public RemoteRegion remote() {
    return new RemoteRegion(length, key);
  }
}
