// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import dev.anemone.rdma.transport.RemoteRegion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** This side's regions that the peer of a connection uses. On the loop's thread only. */
final class LentRegions {

  private final LoopConnection connection;
  private final Map<RemoteRegion, UcxRegion> lent = new HashMap<>();
  private final Map<RemoteRegion, Long> wantedSince = new HashMap<>();

  LentRegions(LoopConnection connection) {
    this.connection = connection;
  }

  /** The peer asks for a region. */
  void opened(RemoteRegion asked, Regions regions, Outbox outbox) {
    UcxRegion region = regions.find(asked);
    if (region == null) {
      outbox.send(Frame.Type.DENY, asked);
      return;
    }
    lent.put(asked, region);
    region.lentTo(connection);
    outbox.send(
        Frame.Type.GRANT,
        body -> {
          Frame.putRegion(body, asked);
          body.putLong(region.address()).put(region.packedKey());
        });
  }

  void wantBack(UcxRegion region, Outbox outbox) {
    wantedSince.put(region.remote(), System.nanoTime());
    outbox.send(Frame.Type.REVOKE, region.remote());
  }

  /** The peer gives a region back. */
  void returned(RemoteRegion given) {
    wantedSince.remove(given);
    UcxRegion region = lent.remove(given);
    if (region != null) {
      region.returnedBy(connection);
    }
  }

  boolean areWanted() {
    return !wantedSince.isEmpty();
  }

  /** Whether the peer has kept a region for longer than that although it is wanted back. */
  boolean isOverdue(long now, long nanos) {
    return areWanted() && wantedSince.values().stream().anyMatch(begin -> now - begin > nanos);
  }

  /** The connection has ended: the peer reaches nothing any longer. */
  void close() {
    List<RemoteRegion> all = new ArrayList<>(lent.keySet());
    all.forEach(this::returned);
  }
}
