// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.anemone.beam.metrics.MetricEvents;
import dev.anemone.beam.metrics.MetricsReports;
import dev.anemone.beam.spec.JobPayload;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.print.JsonPrinter;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.OptimizationTrace;
import dev.anemone.runtime.engine.JobStory;
import dev.anemone.runtime.engine.TaskReport;
import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.event.MetricValues;
import dev.anemone.runtime.event.PlanMade;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.beam.runners.core.metrics.MetricsContainerStepMap;

/**
 * What this runner tells of a pipeline's job to those who watch it.
 *
 * @param policy the policy, or the passes that were asked for instead
 * @param payload with the pipeline's options
 * @param trace what passes made of its graph
 * @param counted what was counted before the job started; must not be modified
 */
record PipelineStory(
    String policy, JobPayload payload, OptimizationTrace trace, MetricsContainerStepMap counted)
    implements JobStory {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Values of options with such names are not told to anybody. */
  private static final Pattern SECRET =
      Pattern.compile("(?i).*(password|passwd|secret|token|credential|accesskey|apikey).*");

  private static final String HIDDEN = "(hidden)";

  @Override
  public Map<String, String> options() {
    Map<String, String> options = new TreeMap<>();
    JsonNode given = tree(payload.optionsJson()).path("options");
    given
        .fields()
        .forEachRemaining(
            option -> {
              String name = option.getKey();
              JsonNode value = option.getValue();
              if (!value.isNull()) {
                options.put(
                    name,
                    SECRET.matcher(name).matches()
                        ? HIDDEN
                        : value.isTextual() ? value.textValue() : value.toString());
              }
            });
    return options;
  }

  @Override
  public List<PlanMade> plans() {
    long now = System.currentTimeMillis();
    List<PlanMade> plans = new ArrayList<>();
    plans.add(
        new PlanMade(now, 0, Optional.empty(), true, List.of(), Optional.of(graph(trace.input()))));
    for (OptimizationStep step : trace.steps()) {
      boolean changed = step.outcome() == OptimizationStep.Outcome.CHANGED;
      List<String> notes = new ArrayList<>(step.notes());
      if (!step.reason().isEmpty()) {
        notes.add("skipped: " + step.reason());
      }
      plans.add(
          new PlanMade(
              now,
              plans.size(),
              Optional.of(step.path()),
              changed,
              notes,
              changed ? Optional.of(graph(step.after())) : Optional.empty()));
    }
    return plans;
  }

  private static JsonNode graph(IRDag dag) {
    return tree(new JsonPrinter().print(dag));
  }

  private static JsonNode tree(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("what this project has written is JSON", e);
    }
  }

  @Override
  public Optional<MetricValues> metrics(List<TaskReport> reports) {
    return Optional.of(
        MetricEvents.of(
            counted,
            reports.stream().map(TaskReport::report).toList(),
            System.currentTimeMillis()));
  }

  @Override
  public Optional<MetricValues> attempted(Function<String, Optional<Object>> shared) {
    return MetricEvents.attempted(counted, shared, System.currentTimeMillis());
  }

  @Override
  public List<JobEvent> events(List<TaskReport> reports) {
    return MetricsReports.events(reports.stream().map(TaskReport::report).toList());
  }
}
