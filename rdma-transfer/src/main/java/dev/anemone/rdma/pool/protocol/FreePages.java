// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.protocol;

import dev.anemone.rdma.pool.ServerStatus;
import dev.anemone.rdma.pool.TierKind;
import java.util.List;

/** How many pages a server has free of each kind of tier. */
public record FreePages(long dram, long pmem, long file) {

  /** None. */
  public static final FreePages NONE = new FreePages(0, 0, 0);

  /** What a server has for those who ask. */
  public static FreePages of(ServerStatus status, int pageBytes) {
    return status.state() == ServerStatus.State.DRAINING ? NONE : of(status.tiers(), pageBytes);
  }

  /** What the tiers of a server leave. */
  public static FreePages of(List<ServerStatus.Tier> tiers, int pageBytes) {
    return new FreePages(
        of(tiers, TierKind.DRAM) / pageBytes,
        of(tiers, TierKind.PMEM) / pageBytes,
        of(tiers, TierKind.FILE) / pageBytes);
  }

  private static long of(List<ServerStatus.Tier> tiers, TierKind kind) {
    return tiers.stream()
        .filter(tier -> tier.kind() == kind)
        .mapToLong(tier -> tier.capacityBytes() - tier.usedBytes())
        .sum();
  }

  /** Of one kind. */
  public long of(TierKind kind) {
    return switch (kind) {
      case DRAM -> dram;
      case PMEM -> pmem;
      case FILE -> file;
    };
  }

  /** Of all kinds. */
  public long total() {
    return dram + pmem + file;
  }
}
