// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The hosts on which the tasks of a vertex should run: the first tasks on the first host, the next
 * ones on the next, and those that are left over wherever there is room. So a pass that knows how
 * fast hosts can read from each other divides the work of a vertex among them, as Apache Nemo's
 * property of this name does.
 *
 * @param tasks how many tasks for each host, each at least 1, in the order of the map; not empty
 */
public record ResourceSite(Map<String, Integer> tasks) implements VertexProperty {

  public ResourceSite {
    tasks = Collections.unmodifiableMap(new LinkedHashMap<>(tasks));
    if (tasks.isEmpty()) {
      throw new IllegalArgumentException("a resource site needs at least one host");
    }
    tasks.forEach(
        (host, count) -> {
          if (host.isBlank() || count < 1) {
            throw new IllegalArgumentException(
                "a resource site needs hosts with at least one task each, and has "
                    + count
                    + " for '"
                    + host
                    + "'");
          }
        });
  }
}
