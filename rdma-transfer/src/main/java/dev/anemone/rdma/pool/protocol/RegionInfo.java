// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.protocol;

import dev.anemone.rdma.pool.TierKind;
import dev.anemone.rdma.transport.RemoteRegion;
import java.nio.ByteBuffer;

/**
 * A registered region of a server: chunks, one behind the other.
 *
 * @param firstChunk number of its first chunk
 * @param chunks how many
 * @param length bytes
 * @param key what the transport needs to reach it
 */
public record RegionInfo(TierKind tier, int firstChunk, int chunks, long length, ByteBuffer key) {

  /** A region that one's transport has registered. */
  public static RegionInfo of(TierKind tier, int firstChunk, int chunks, RemoteRegion region) {
    return new RegionInfo(tier, firstChunk, chunks, region.length(), region.key());
  }

  /** The region, for one's transport. */
  public RemoteRegion remote() {
    return new RemoteRegion(length, key);
  }
}
