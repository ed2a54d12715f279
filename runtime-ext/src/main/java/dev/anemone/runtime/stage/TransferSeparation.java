// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.stage;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.edit.InsertRelay;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.property.SplitAssignment;
import dev.anemone.ir.property.VertexProperty;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sees to it that only one kind of transfer joins any two stages, as a Tez edge has just one. All
 * edges of a pair that move records in another way than its first choice get a relay.
 *
 * <pre>
 * before: [A] ═shuffle═ [B]        after: [A] ═══════shuffle══════ [B]
 *         [A] ─broadcast─ [B]             [A] ─1:1─ [relay] ─broadcast─ [B]
 * </pre>
 */
public final class TransferSeparation {

  /** Names the relays that this puts in. */
  private static final String NAME = "TransferSeparation";

  private TransferSeparation() {}

  /** The names of two stages: all that they hold would be hashed with them themselves. */
  private record StagePair(String from, String to) {

    static StagePair of(IREdge edge, Map<String, Stage> stageOf) {
      return new StagePair(stageOf.get(edge.from()).name(), stageOf.get(edge.to()).name());
    }
  }

  /** The graph with relays where they are needed; the same graph where none is. */
  public static StageGraph separate(StageGraph graph) {
    // With relays in it, the graph may be divided in another way, which may need further relays. An
    // edge gets one relay at most, so this comes to an end.
    IRDag separated = withRelays(graph);
    return separated.equals(graph.dag()) ? graph : separate(StagePartitioner.partition(separated));
  }

  private static IRDag withRelays(StageGraph graph) {
    IRDag dag = graph.dag();
    Map<String, Stage> stageOf = graph.stageOf();
    Map<StagePair, Transfer> chosen = new HashMap<>();
    for (IREdge edge : graph.crossingEdges()) {
      chosen.merge(
          StagePair.of(edge, stageOf), Transfer.of(edge), (a, b) -> a.compareTo(b) >= 0 ? a : b);
    }
    for (IREdge edge : graph.crossingEdges()) {
      if (Transfer.of(edge) != chosen.get(StagePair.of(edge, stageOf))) {
        dag = insertRelay(dag, edge);
      }
    }
    return dag;
  }

  private static IRDag insertRelay(IRDag dag, IREdge edge) {
    String relay = edge.id() + "-relay";
    IRDag result = dag.apply(new InsertRelay(List.of(edge.id()), relay, NAME));
    IRVertex producer = dag.vertex(edge.from());
    for (VertexProperty property : producer.properties().values()) {
      if (!(property instanceof SplitAssignment)) {
        result = result.apply(new SetVertexProperty(relay, property));
      }
    }
    return result;
  }
}
