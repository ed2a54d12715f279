// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.stage;

import dev.anemone.ir.IREdge;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.runtime.stage.Redrawing.MeasuredShuffle;
import dev.anemone.runtime.stage.Redrawing.Reading;
import dev.anemone.runtime.stage.StageSample.MeasuredLink;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds out what each stage has to do for the samplings of a graph. */
final class SamplePlanner {

  private final StageGraph graph;
  private final Map<String, Stage> stageOf;
  private final ShuffleRoutes routes;
  private final List<Sampling> samplings;
  private final Map<String, List<Link>> inputs;

  /**
   * A planner.
   *
   * @param inputs the input links of each stage, by its name
   */
  SamplePlanner(
      StageGraph graph,
      ShuffleRoutes routes,
      List<Sampling> samplings,
      Map<String, List<Link>> inputs) {
    this.graph = graph;
    this.stageOf = graph.stageOf();
    this.routes = routes;
    this.samplings = samplings;
    this.inputs = inputs;
  }

  /** What a stage has to measure. */
  Optional<StageSample> sample(Stage stage) {
    Set<Integer> tasks = new LinkedHashSet<>();
    Set<MeasuredLink> measured = new LinkedHashSet<>();
    Set<String> heldFor = new LinkedHashSet<>();
    for (Sampling sampling : samplings) {
      List<String> readers = List.copyOf(readers(sampling));
      for (Map.Entry<String, List<Integer>> entry : sampling.measured().entrySet()) {
        IREdge edge = graph.dag().edge(entry.getKey());
        if (producer(edge).equals(stage)) {
          tasks.addAll(entry.getValue());
          measured.add(
              new MeasuredLink(stageOf.get(edge.to()).name(), sampling.messageId(), readers));
        }
      }
      if (stage.vertices().stream().anyMatch(vertex -> sampling.held().contains(vertex.id()))) {
        heldFor.addAll(readers);
      }
    }
    return measured.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new StageSample(tasks.stream().sorted().toList(), List.copyOf(measured), heldFor));
  }

  /** How the ranges of a stage are drawn. */
  Optional<Redrawing> redrawing(Stage stage) {
    for (Sampling sampling : samplings) {
      if (readers(sampling).contains(stage.name())) {
        Map<String, Reading> drawn = new LinkedHashMap<>();
        for (Link link : inputs.get(stage.name())) {
          if (link.transfer() == Transfer.GROUPED) {
            drawn.put(link.peer(), reading(link));
          }
        }
        return Optional.of(
            new Redrawing(sampling.messageId(), shuffles(sampling), drawn, heldTasks(sampling)));
      }
    }
    return Optional.empty();
  }

  /** Whether partitions that a stage reads may be divided among its tasks while the job runs. */
  boolean mayDivide(String stage) {
    return samplings.stream()
        .anyMatch(sampling -> sampling.divides() && readers(sampling).contains(stage));
  }

  private List<MeasuredShuffle> shuffles(Sampling sampling) {
    Map<Ends, List<IREdge>> links = new LinkedHashMap<>();
    for (String id : sampling.measured().keySet()) {
      IREdge edge = graph.dag().edge(id);
      links
          .computeIfAbsent(new Ends(producer(edge), stageOf.get(edge.to())), k -> new ArrayList<>())
          .add(edge);
    }
    List<MeasuredShuffle> shuffles = new ArrayList<>();
    links.forEach(
        (ends, edges) ->
            shuffles.add(
                new MeasuredShuffle(
                    ends.producer().name(),
                    ends.consumer().name(),
                    edges.stream().map(IREdge::id).toList(),
                    sampling.measured().get(edges.get(0).id()).size(),
                    ends.producer().parallelism(),
                    partitions(edges.get(0)),
                    edges.stream()
                        .flatMap(edge -> routes.readings(edge).stream())
                        .map(this::reading)
                        .distinct()
                        .toList())));
    return shuffles;
  }

  /** The ends of a link. */
  private record Ends(Stage producer, Stage consumer) {}

  private int partitions(IREdge edge) {
    return routes
        .layout(edge)
        .property(PartitionSet.class)
        .map(PartitionSet::partitions)
        .orElseThrow(
            () -> new IllegalArgumentException("edge " + edge.id() + " has no PartitionSet"));
  }

  private Reading reading(IREdge edge) {
    return inputs.get(stageOf.get(edge.to()).name()).stream()
        .filter(link -> link.peer().equals(producer(edge).name()))
        .map(SamplePlanner::reading)
        .findFirst()
        .orElseThrow();
  }

  /** The first edge of the link stands for all of them: they have the same ranges. */
  private static Reading reading(Link link) {
    return new Reading(link.channels().get(0).edge().id(), link.edgeIds());
  }

  /** Names of the stages whose ranges a message draws. */
  private Set<String> readers(Sampling sampling) {
    Set<String> readers = new LinkedHashSet<>();
    for (String id : sampling.measured().keySet()) {
      for (IREdge edge : routes.readings(graph.dag().edge(id))) {
        readers.add(stageOf.get(edge.to()).name());
      }
    }
    return readers;
  }

  private int heldTasks(Sampling sampling) {
    Set<Stage> held = new LinkedHashSet<>();
    sampling.held().forEach(id -> held.add(stageOf.get(id)));
    return held.stream()
        .mapToInt(stage -> stage.parallelism() - sample(stage).map(s -> s.tasks().size()).orElse(0))
        .sum();
  }

  private Stage producer(IREdge edge) {
    return stageOf.get(edge.from());
  }
}
