// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.placement;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/**
 * The hosts of a Tez vertex's executors. They travel once for each vertex, in its settings: as
 * hints of every task they would make plans of large jobs on large clusters too big to submit.
 *
 * @param hosts as YARN calls them; empty for anywhere
 * @param bound whether tasks must not run elsewhere
 */
record VertexHosts(List<String> hosts, boolean bound) {

  /** Setting of a vertex: hosts of its executors, with commas between them. */
  private static final String HOSTS = "anemone.placement.hosts";

  /** Setting of a vertex: whether its tasks must not run elsewhere. */
  private static final String BOUND = "anemone.placement.bound";

  VertexHosts {
    hosts = List.copyOf(hosts);
    if (bound && hosts.isEmpty()) {
      throw new IllegalArgumentException("tasks cannot be bound to no host");
    }
  }

  /** These hosts as settings of a vertex. */
  Map<String, String> settings() {
    return hosts.isEmpty()
        ? Map.of()
        : Map.of(HOSTS, String.join(",", hosts), BOUND, Boolean.toString(bound));
  }

  /** The hosts in the settings of a vertex. */
  static VertexHosts in(Configuration settings) {
    return new VertexHosts(
        List.copyOf(settings.getTrimmedStringCollection(HOSTS)), settings.getBoolean(BOUND, false));
  }

  /**
   * The hosts to ask for: those that a task prefers, and, where it prefers none or is bound, all.
   *
   * @param preferred hosts of a task's hint; null for none
   * @return null for anywhere
   */
  String[] wanted(String[] preferred) {
    boolean prefers = preferred != null && preferred.length > 0;
    if (hosts.isEmpty() || (prefers && !bound)) {
      return preferred;
    }
    Set<String> wanted = new LinkedHashSet<>();
    if (prefers) {
      wanted.addAll(List.of(preferred));
      wanted.retainAll(hosts);
    }
    wanted.addAll(hosts);
    return wanted.toArray(String[]::new);
  }

  /** Whether what runs on these hosts may follow what runs on others, wherever that is. */
  boolean covers(VertexHosts others) {
    Objects.requireNonNull(others, "others");
    return hosts.isEmpty() || (!others.hosts.isEmpty() && hosts.containsAll(others.hosts));
  }
}
