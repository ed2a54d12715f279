// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.stage;

import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.SplitAssignment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What only one task of a stage needs to know of the stage's plan. The size of this, and of what
 * all tasks {@linkplain #common have in common}, does not grow with the number of tasks, but for
 * the ranges of aggregations, which those who push to them need all.
 *
 * @param parts what the task reads of each source, in this order, by the source's id
 * @param inputs what the task reads over each input link, by the stage at the link's other end
 */
public record TaskPlan(Map<String, List<SourcePart>> parts, Map<String, LinkRanges> inputs) {

  /** In the place of parts, as a source has one at least. */
  private static final SourcePart OF_OTHER_TASKS =
      new SourcePart(FunctionSpec.of("anemone:of-other-tasks"), 0, List.of());

  public TaskPlan {
    parts = Collections.unmodifiableMap(new LinkedHashMap<>(parts));
    inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
  }

  /** What a task needs of the plan of its stage. */
  public static TaskPlan of(StagePlan plan, int task) {
    Map<String, List<SourcePart>> parts = new LinkedHashMap<>();
    for (IRVertex vertex : plan.stage().vertices()) {
      if (vertex instanceof SourceVertex source) {
        parts.put(source.id(), source.partsOfTask(task).stream().map(source.parts()::get).toList());
      }
    }
    Map<String, LinkRanges> inputs = new LinkedHashMap<>();
    for (Link link : plan.inputs()) {
      inputs.put(link.peer(), LinkRanges.of(task, link.perTask(), link.divisions()));
    }
    return new TaskPlan(parts, inputs);
  }

  /** The plan of a stage without what only one of its tasks needs. */
  public static StagePlan common(StagePlan plan) {
    return plan.withVertices(plan.stage().vertices().stream().map(TaskPlan::withoutParts).toList())
        .withInputs(
            plan.inputs().stream()
                .map(link -> withoutSets(link).withRanges(List.of(), List.of()))
                .toList())
        .withOutputs(
            plan.outputs().stream()
                .map(TaskPlan::withoutSets)
                .map(link -> link.push() ? link : link.withRanges(List.of(), List.of()))
                .toList());
  }

  private static IRVertex withoutParts(IRVertex vertex) {
    return vertex instanceof SourceVertex source
        ? source
            .withParts(List.of(OF_OTHER_TASKS))
            .withProperties(source.properties().without(SplitAssignment.class))
        : vertex;
  }

  /** The link says what its edges' sets have said. */
  private static Link withoutSets(Link link) {
    return link.withChannels(
        link.channels().stream()
            .map(channel -> new Channel(channel.tag(), withoutSet(channel.edge())))
            .toList());
  }

  private static IREdge withoutSet(IREdge edge) {
    return edge.withProperties(edge.properties().without(PartitionSet.class));
  }

  /**
   * The plan of the stage as its task needs it: with the task's own parts and ranges. Those of
   * other tasks are missing.
   *
   * @param common what {@link #common} gave
   * @param task index of the task
   */
  public StagePlan in(StagePlan common, int task) {
    return common
        .withVertices(
            common.stage().vertices().stream().map(vertex -> withParts(vertex, task)).toList())
        .withInputs(
            common.inputs().stream()
                .map(link -> link.withRangesOf(task, inputs.get(link.peer())))
                .toList());
  }

  private IRVertex withParts(IRVertex vertex, int task) {
    if (!(vertex instanceof SourceVertex source)) {
      return vertex;
    }
    List<SourcePart> own = parts.get(source.id());
    List<List<Integer>> assigned = new ArrayList<>(Collections.nCopies(task, List.of()));
    assigned.add(IntStream.range(0, own.size()).boxed().toList());
    return source
        .withParts(own.isEmpty() ? source.parts() : own)
        .withProperties(source.properties().with(new SplitAssignment(assigned)));
  }
}
