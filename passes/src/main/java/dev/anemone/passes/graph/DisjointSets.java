// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.graph;

import java.util.HashMap;
import java.util.Map;

/** Sets of vertex ids that can be united; each id starts in a set of its own. */
public final class DisjointSets {

  private final Map<String, String> parents = new HashMap<>();

  /** The representative of the set that an id is in. */
  public String find(String id) {
    String root = id;
    for (String up = parents.get(root); up != null; up = parents.get(root)) {
      root = up;
    }
    // Path compression, so that long chains of vertices stay cheap.
    String at = id;
    while (!at.equals(root)) {
      String up = parents.put(at, root);
      at = up == null ? root : up;
    }
    return root;
  }

  public void union(String one, String other) {
    String rootOfOne = find(one);
    String rootOfOther = find(other);
    if (!rootOfOne.equals(rootOfOther)) {
      parents.put(rootOfOther, rootOfOne);
    }
  }
}
