// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import java.nio.file.Path;
import java.util.Optional;

/**
 * One storage tier of a server.
 *
 * @param capacityBytes rounded down to whole pages
 * @param directory where its file is made; empty for DRAM
 * @param keep whether the file has a name, by which the server finds its objects when it is started
 *     again; else it goes away with the server however that ends. For persistent memory only
 */
public record TierOptions(
    TierKind kind, long capacityBytes, Optional<Path> directory, boolean keep) {

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException when other than persistent memory is to be kept
   */
  public TierOptions {
    if (keep && kind != TierKind.PMEM) {
      throw new IllegalArgumentException("A tier of " + kind + " cannot be kept, only PMEM.");
    }
  }

  /** Memory of the process. */
  public static TierOptions dram(long capacityBytes) {
    return new TierOptions(TierKind.DRAM, capacityBytes, Optional.empty(), false);
  }

  /** A file in a directory of a DAX file system. */
  public static TierOptions pmem(Path directory, long capacityBytes) {
    return new TierOptions(TierKind.PMEM, capacityBytes, Optional.of(directory), false);
  }

  /** The same tier, whose objects outlive the server. */
  public TierOptions kept() {
    return new TierOptions(kind, capacityBytes, directory, true);
  }

  /** A file in a directory. */
  public static TierOptions file(Path directory, long capacityBytes) {
    return new TierOptions(TierKind.FILE, capacityBytes, Optional.of(directory), false);
  }
}
