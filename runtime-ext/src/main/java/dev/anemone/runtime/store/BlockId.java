// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store;

import java.util.Objects;

/**
 * Names a block in its store: the output of one task attempt on one link.
 *
 * @param path relative path of the attempt's directory below the store's root, with {@code /}; as
 *     YARN's shuffle handler wants it, its last component is unique for attempt and link
 */
public record BlockId(String path) {

  public BlockId {
    Objects.requireNonNull(path, "path");
    String enclosed = "/" + path + "/";
    if (enclosed.contains("//") || enclosed.contains("/./") || path.contains("..")) {
      throw new IllegalArgumentException("not a relative path below a store's root: " + path);
    }
  }

  @Override
  public String toString() {
    return path;
  }
}
