// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.placement;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.tez.dag.api.TaskLocationHint;

/**
 * What a stage's Tez vertex asks for.
 *
 * @param container the container of a task; empty for the engine's default
 * @param hints the preferred hosts of each task
 * @param settings of the vertex, for {@link PlacedTaskScheduler}; empty when it may run anywhere
 * @param executors how many tasks run at a time at most, as there are no more executors of the
 *     stage's kind; empty for no limit
 */
public record StagePlacement(
    Optional<Resource> container,
    List<TaskLocationHint> hints,
    Map<String, String> settings,
    Optional<Integer> executors) {

  public StagePlacement {
    Objects.requireNonNull(container, "container");
    hints = List.copyOf(hints);
    settings = Map.copyOf(settings);
    Objects.requireNonNull(executors, "executors");
  }
}
