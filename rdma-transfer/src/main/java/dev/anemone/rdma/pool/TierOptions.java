// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import java.nio.file.Path;
import java.util.Optional;

/**
 * One storage tier of a server.
 *
 * @param capacityBytes rounded down to whole pages
 * @param directory where its file is made, which has no name once it is made, so that it goes away
 *     with the server however that ends; empty for DRAM
 */
public record TierOptions(TierKind kind, long capacityBytes, Optional<Path> directory) {

  /** Memory of the process. */
  public static TierOptions dram(long capacityBytes) {
    return new TierOptions(TierKind.DRAM, capacityBytes, Optional.empty());
  }

  /** A file in a directory of a DAX file system. */
  public static TierOptions pmem(Path directory, long capacityBytes) {
    return new TierOptions(TierKind.PMEM, capacityBytes, Optional.of(directory));
  }

  /** A file in a directory. */
  public static TierOptions file(Path directory, long capacityBytes) {
    return new TierOptions(TierKind.FILE, capacityBytes, Optional.of(directory));
  }
}
