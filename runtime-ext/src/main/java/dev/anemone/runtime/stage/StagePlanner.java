package dev.anemone.runtime.stage;

import dev.anemone.ir.IREdge;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the plans of a job's stages: which edges stay inside, and which links join the stages. */
public final class StagePlanner {

  private final StageGraph graph;
  private final Map<String, Stage> stageOf;

  /** A planner of a graph in which one kind of transfer joins any two stages. */
  public StagePlanner(StageGraph graph) {
    this.graph = graph;
    this.stageOf = graph.stageOf();
  }

  /** The plans, every producer before its consumers. */
  public List<StagePlan> plan(String jobId, byte[] jobPayload, String reportDirectory) {
    Map<String, Map<String, Link>> outputs = new HashMap<>();
    Map<String, List<Link>> inputs = new HashMap<>();
    for (Stage stage : graph.stages()) {
      for (Link link : inputLinks(stage)) {
        inputs.computeIfAbsent(stage.name(), k -> new ArrayList<>()).add(link);
        outputs
            .computeIfAbsent(link.peer(), k -> new LinkedHashMap<>())
            .put(stage.name(), new Link(stage.name(), link.transfer(), link.channels()));
      }
    }
    return graph.stages().stream()
        .map(
            stage ->
                new StagePlan(
                    jobId,
                    jobPayload,
                    reportDirectory,
                    stage,
                    innerEdges(stage),
                    inputs.getOrDefault(stage.name(), List.of()),
                    List.copyOf(outputs.getOrDefault(stage.name(), Map.of()).values())))
        .toList();
  }

  private List<IREdge> innerEdges(Stage stage) {
    return graph.dag().edges().stream()
        .filter(e -> stageOf.get(e.from()).equals(stage) && stageOf.get(e.to()).equals(stage))
        .toList();
  }

  /**
   * Grouped channels are tagged by the input that they enter, counted over the whole stage: all
   * links into the stage are merged into one sequence of groups, first all groups of tag 0, and so
   * on. Other channels are tagged by edge, counted over their link.
   */
  private List<Link> inputLinks(Stage stage) {
    Map<String, Integer> groupedInputs = new HashMap<>();
    Map<String, List<Channel>> channels = new LinkedHashMap<>();
    Map<String, Transfer> transfers = new HashMap<>();
    for (IREdge edge : graph.crossingEdges()) {
      if (!stageOf.get(edge.to()).equals(stage)) {
        continue;
      }
      String peer = stageOf.get(edge.from()).name();
      Transfer transfer = Transfer.of(edge);
      List<Channel> linked = channels.computeIfAbsent(peer, k -> new ArrayList<>());
      int tag =
          transfer == Transfer.GROUPED
              ? groupedInputs.computeIfAbsent(
                  edge.to() + " " + edge.input(), k -> groupedInputs.size())
              : linked.size();
      linked.add(new Channel(tag, edge));
      transfers.put(peer, transfer);
    }
    List<Link> links = new ArrayList<>();
    channels.forEach((peer, linked) -> links.add(new Link(peer, transfers.get(peer), linked)));
    return links;
  }
}
