// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * Tasks of a vertex that should run on different nodes.
 *
 * @param tasks indices of these tasks, each below the vertex's parallelism
 */
public record AntiAffinity(Set<Integer> tasks) implements VertexProperty {

  public AntiAffinity {
    tasks = Collections.unmodifiableSet(new TreeSet<>(tasks));
  }
}
