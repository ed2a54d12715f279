// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.placement;

import dev.anemone.ir.IRVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.property.AntiAffinity;
import dev.anemone.ir.property.ResourceLocality;
import dev.anemone.ir.property.ResourceSite;
import dev.anemone.ir.property.SplitAssignment;
import dev.anemone.runtime.stage.Stage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The hosts that the tasks of a stage prefer. */
final class TaskHosts {

  private TaskHosts() {}

  /**
   * For each task the hosts that it prefers, best first, of those where it may run. It goes near
   * the parts of the sources that it reads, unless a {@link ResourceSite} says where. Tasks that
   * must keep apart are dealt out, one after the other, over the hosts that hold any of the stage's
   * data, else over all where they may run.
   *
   * @param allowed where the tasks may run; empty for anywhere
   */
  static List<Set<String>> of(Stage stage, List<String> allowed) {
    boolean nearData = isNearData(stage);
    Set<Integer> apart =
        stage
            .vertices()
            .get(0)
            .property(AntiAffinity.class)
            .map(AntiAffinity::tasks)
            .orElse(Set.of());
    List<String> spread = List.copyOf(ofAllTasks(stage, allowed));
    if (spread.isEmpty()) {
      spread = allowed;
    }
    List<String> site = site(stage);
    List<Set<String>> hosts = new ArrayList<>();
    int dealt = 0;
    for (int task = 0; task < stage.parallelism(); task++) {
      if (apart.contains(task) && !spread.isEmpty()) {
        hosts.add(Set.of(spread.get(dealt++ % spread.size())));
      } else if (task < site.size() && (allowed.isEmpty() || allowed.contains(site.get(task)))) {
        hosts.add(Set.of(site.get(task)));
      } else {
        hosts.add(nearData ? ofTask(stage, task, allowed) : Set.of());
      }
    }
    return hosts;
  }

  /** The hosts of the first tasks. */
  private static List<String> site(Stage stage) {
    List<String> hosts = new ArrayList<>();
    stage
        .vertices()
        .get(0)
        .property(ResourceSite.class)
        .ifPresent(
            site -> site.tasks().forEach((host, n) -> hosts.addAll(Collections.nCopies(n, host))));
    return hosts;
  }

  static boolean isNearData(Stage stage) {
    return stage
            .vertices()
            .get(0)
            .property(ResourceLocality.class)
            .orElse(ResourceLocality.NEAR_DATA)
        == ResourceLocality.NEAR_DATA;
  }

  /** The hosts with data of a stage's sources, of those where its tasks may run. */
  static Set<String> ofAllTasks(Stage stage, List<String> allowed) {
    Set<String> hosts = new LinkedHashSet<>();
    for (int task = 0; task < stage.parallelism(); task++) {
      hosts.addAll(ofTask(stage, task, allowed));
    }
    return hosts;
  }

  private static Set<String> ofTask(Stage stage, int task, List<String> allowed) {
    Set<String> hosts = new LinkedHashSet<>();
    for (IRVertex vertex : stage.vertices()) {
      if (vertex instanceof SourceVertex source) {
        Optional<SplitAssignment> assignment = source.property(SplitAssignment.class);
        assignment
            .map(given -> given.perTask().get(task))
            .orElseGet(() -> List.of(task))
            .forEach(part -> hosts.addAll(source.parts().get(part).hosts()));
      }
    }
    if (!allowed.isEmpty()) {
      hosts.retainAll(allowed);
    }
    return hosts;
  }
}
