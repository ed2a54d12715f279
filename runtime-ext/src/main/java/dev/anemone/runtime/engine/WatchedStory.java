// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.engine;

import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.event.JobEventListener;
import dev.anemone.runtime.event.MetricValues;
import dev.anemone.runtime.event.PlanMade;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** A story that one more listener gets to know. */
record WatchedStory(JobStory story, JobEventListener listener) implements JobStory {

  @Override
  public String policy() {
    return story.policy();
  }

  @Override
  public Map<String, String> options() {
    return story.options();
  }

  @Override
  public List<PlanMade> plans() {
    return story.plans();
  }

  @Override
  public Optional<MetricValues> metrics(List<TaskReport> reports) {
    return story.metrics(reports);
  }

  @Override
  public Optional<MetricValues> attempted(Function<String, Optional<Object>> shared) {
    return story.attempted(shared);
  }

  @Override
  public List<JobEvent> events(List<TaskReport> reports) {
    return story.events(reports);
  }

  @Override
  public List<JobEventListener> listeners() {
    List<JobEventListener> all = new ArrayList<>(story.listeners());
    all.add(listener);
    return List.copyOf(all);
  }
}
