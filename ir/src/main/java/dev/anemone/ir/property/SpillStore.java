// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

import java.util.Objects;

/**
 * Where the writers and readers of an edge put what does not fit into their memory. Without it,
 * that is the local file system.
 *
 * @param store which store
 */
public record SpillStore(DataStore store) implements EdgeProperty {

  public SpillStore {
    Objects.requireNonNull(store, "store");
  }
}
