// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.stage;

import dev.anemone.ir.IREdge;
import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.PartitionSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes the plans of a job's stages: which edges stay inside, and which links join the stages. */
public final class StagePlanner {

  private final StageGraph graph;
  private final List<Sampling> samplings;
  private final ShuffleRoutes routes;
  private final Map<String, Stage> stageOf;
  private final Map<String, Integer> tags = new HashMap<>();

  /** A planner of a graph in which one kind of transfer joins any two stages. */
  public StagePlanner(StageGraph graph, List<Sampling> samplings) {
    this.graph = graph;
    this.samplings = List.copyOf(samplings);
    this.routes = new ShuffleRoutes(graph.dag());
    this.stageOf = graph.stageOf();
    for (Stage stage : graph.stages()) {
      numberChannels(stage);
    }
  }

  /** The plans, every producer before its consumers. */
  public List<StagePlan> plan(StagePlan.Job job) {
    Map<String, List<Link>> outputs = new HashMap<>();
    Map<String, List<Link>> written = new LinkedHashMap<>();
    for (Stage stage : graph.stages()) {
      written.put(stage.name(), inputLinks(stage));
    }
    Map<String, List<Link>> inputs = SharedOutputs.share(written);
    for (Stage stage : graph.stages()) {
      for (Link link : inputs.get(stage.name())) {
        outputs.computeIfAbsent(link.peer(), k -> new ArrayList<>()).add(link.from(stage.name()));
      }
    }
    SamplePlanner samples = new SamplePlanner(graph, routes, samplings, inputs);
    List<StagePlan> plans = new ArrayList<>();
    int tasks = 0;
    for (Stage stage : graph.stages()) {
      plans.add(
          new StagePlan(
              job,
              tasks,
              stage,
              innerEdges(stage),
              inputs.get(stage.name()),
              outputs.getOrDefault(stage.name(), List.of()).stream()
                  .map(link -> samples.mayDivide(link.peer()) ? link.withLaterDivision() : link)
                  .toList(),
              samples.sample(stage),
              samples.redrawing(stage)));
      tasks = Math.addExact(tasks, stage.parallelism());
    }
    return plans;
  }

  private List<IREdge> innerEdges(Stage stage) {
    return graph.dag().edges().stream()
        .filter(e -> stageOf.get(e.from()).equals(stage) && stageOf.get(e.to()).equals(stage))
        .toList();
  }

  private Map<String, List<IREdge>> incomingByPeer(Stage stage) {
    Map<String, List<IREdge>> byPeer = new LinkedHashMap<>();
    for (IREdge edge : graph.crossingEdges()) {
      if (stageOf.get(edge.to()).equals(stage)) {
        byPeer.computeIfAbsent(stageOf.get(edge.from()).name(), k -> new ArrayList<>()).add(edge);
      }
    }
    return byPeer;
  }

  /**
   * Grouped channels are tagged by the input that they enter, counted over the whole stage: all
   * links into the stage are merged into one sequence of groups. Other channels are tagged by edge,
   * counted over their link. An edge into an aggregation has the tag that its records need further
   * on, as nobody looks into them there.
   */
  private void numberChannels(Stage stage) {
    Map<String, Integer> groupedInputs = new HashMap<>();
    incomingByPeer(stage)
        .values()
        .forEach(
            linked -> {
              for (int i = 0; i < linked.size(); i++) {
                IREdge edge = linked.get(i);
                tags.put(
                    edge.id(),
                    Transfer.of(edge) == Transfer.GROUPED
                        ? groupedInputs.computeIfAbsent(
                            edge.to() + " " + edge.input(), k -> groupedInputs.size())
                        : i);
              }
            });
  }

  private List<Link> inputLinks(Stage stage) {
    List<Link> links = new ArrayList<>();
    incomingByPeer(stage)
        .forEach(
            (peer, linked) -> {
              IREdge first = linked.get(0);
              Transfer transfer = Transfer.of(first);
              links.add(
                  new Link(
                      peer,
                      transfer,
                      linked.stream()
                          .map(edge -> new Channel(tags.get(routes.layout(edge).id()), edge))
                          .toList(),
                      partitions(transfer, routes.layout(first)),
                      perTask(stage, transfer, first),
                      linked.stream().allMatch(this::isPushed),
                      first
                          .property(PartitionSet.class)
                          .map(PartitionSet::divisions)
                          .orElse(List.of()),
                      false,
                      aliasOf(first)));
            });
    return links;
  }

  private Optional<String> aliasOf(IREdge edge) {
    return routes.isAlias(edge)
        ? Optional.of(stageOf.get(routes.original(edge).to()).name())
        : Optional.empty();
  }

  private boolean isPushed(IREdge edge) {
    return routes.isIntoAggregation(edge)
        && edge.property(DataFlow.class).orElse(DataFlow.PULL) == DataFlow.PUSH;
  }

  private int partitions(Transfer transfer, IREdge last) {
    return switch (transfer) {
      case GROUPED -> required(last).partitions();
      case SPREAD -> stageOf.get(last.to()).parallelism();
      case BROADCAST, ONE_TO_ONE -> 1;
    };
  }

  private List<List<HashRange>> perTask(Stage consumer, Transfer transfer, IREdge edge) {
    int tasks = consumer.parallelism();
    return switch (transfer) {
      case GROUPED -> required(edge).perTask();
      case SPREAD -> even(tasks, partitions(transfer, routes.layout(edge)));
      case BROADCAST, ONE_TO_ONE -> Collections.nCopies(tasks, List.of(new HashRange(0, 1)));
    };
  }

  private static PartitionSet required(IREdge edge) {
    return edge.property(PartitionSet.class)
        .orElseThrow(
            () -> new IllegalArgumentException("edge " + edge.id() + " has no PartitionSet"));
  }

  private static List<List<HashRange>> even(int tasks, int partitions) {
    List<List<HashRange>> perTask = new ArrayList<>();
    for (int task = 0; task < tasks; task++) {
      int from = (int) ((long) partitions * task / tasks);
      int to = (int) ((long) partitions * (task + 1) / tasks);
      perTask.add(from == to ? List.of() : List.of(new HashRange(from, to)));
    }
    return perTask;
  }
}
