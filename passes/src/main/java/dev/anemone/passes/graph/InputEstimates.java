// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.graph;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.ShuffleAliases;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.OperatorTrait;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.json.RelationalFunctions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How much data flows out of each vertex, as far as the sizes of the sources tell: a source gives
 * what it holds, and every other vertex hands on the sum of what it is given; beyond an operator
 * that {@linkplain OperatorTrait#DIVIDES_WORK divides work} there is more than is known. Broadcast
 * edges do not count, because what is broadcast is looked up, not handed on; nor do the aliases of
 * shuffles, which bring what the shuffles themselves do not.
 *
 * <p>That an operator or a combiner makes its input smaller is known of one: a relational aggregate
 * without columns to group by gives a row for each part of its source. Of others it is not guessed,
 * nor taken from a sample of a part: while the job runs a stage can lose tasks, and never gets
 * more.
 */
public final class InputEstimates {

  /**
   * An estimate.
   *
   * @param bytes from sources of known size
   * @param unknownParts the most parts that a source of unknown size has, if it has several; else 0
   */
  public record Estimate(long bytes, int unknownParts) {

    public static final Estimate NOTHING = new Estimate(0, 0);

    /** Anything, in as many parts as there are tasks. */
    static final Estimate UNKNOWN = new Estimate(0, Integer.MAX_VALUE);

    public Estimate plus(Estimate other) {
      long sum = bytes + other.bytes;
      // A value that is read over many paths can add up beyond the range of a long.
      return new Estimate(
          sum < 0 ? Long.MAX_VALUE : sum, Math.max(unknownParts, other.unknownParts));
    }
  }

  /** A row of numbers and dates is smaller; one with the least of long texts may not be. */
  private static final long AGGREGATE_ROW_BYTES = 1024;

  private final Map<String, Estimate> outputs = new HashMap<>();

  /** Parts of the source of which each relational operator gets the rows. */
  private final Map<String, Integer> parts = new HashMap<>();

  private InputEstimates() {}

  public static InputEstimates of(IRDag dag) {
    InputEstimates estimates = new InputEstimates();
    for (IRVertex vertex : dag.vertices()) {
      Estimate estimate = Estimate.NOTHING;
      if (vertex instanceof SourceVertex source) {
        estimate = estimates.pushed(source);
      } else {
        for (IREdge edge : dag.incoming(vertex.id())) {
          if (edge.pattern() != CommunicationPattern.BROADCAST
              && !ShuffleAliases.isAlias(dag, edge)) {
            estimate = estimate.plus(estimates.output(edge.from()));
          }
        }
      }
      if (vertex instanceof OperatorVertex operator) {
        estimate = estimates.relational(dag, operator, estimate);
      }
      if (dividesWork(vertex)) {
        estimate = estimate.plus(Estimate.UNKNOWN);
      }
      estimates.outputs.put(vertex.id(), estimate);
    }
    return estimates;
  }

  private Estimate pushed(SourceVertex source) {
    parts.put(source.id(), source.parts().size());
    boolean aggregated = source.pushed().stream().anyMatch(InputEstimates::isOneRow);
    return aggregated ? rows(source.parts().size(), ofSource(source)) : ofSource(source);
  }

  private Estimate relational(IRDag dag, OperatorVertex operator, Estimate input) {
    List<IREdge> incoming = dag.incoming(operator.id());
    Integer ofSource = incoming.size() == 1 ? parts.get(incoming.get(0).from()) : null;
    if (ofSource == null || RelationalFunctions.operatorOf(operator.operator()).isEmpty()) {
      return input;
    }
    parts.put(operator.id(), ofSource);
    return isOneRow(operator) ? rows(ofSource, input) : input;
  }

  private static boolean isOneRow(OperatorVertex operator) {
    return RelationalFunctions.operatorOf(operator.operator())
        .filter(RelationalOperator.Aggregate.class::isInstance)
        .map(RelationalOperator.Aggregate.class::cast)
        .filter(aggregate -> aggregate.groupBy().isEmpty())
        .isPresent();
  }

  private static Estimate rows(int rows, Estimate input) {
    long bytes = rows * AGGREGATE_ROW_BYTES;
    return new Estimate(input.bytes() == 0 ? bytes : Math.min(bytes, input.bytes()), 0);
  }

  /** Whether a vertex is an operator that {@linkplain OperatorTrait#DIVIDES_WORK divides work}. */
  public static boolean dividesWork(IRVertex vertex) {
    return vertex instanceof OperatorVertex operator
        && operator.traits().contains(OperatorTrait.DIVIDES_WORK);
  }

  /** What a source holds; where no part has a known size, the number of parts has to do. */
  public static Estimate ofSource(SourceVertex source) {
    int parts = source.parts().size();
    long bytes = source.sizeBytes();
    return new Estimate(bytes, bytes == 0 && parts > 1 ? parts : 0);
  }

  public Estimate output(String vertexId) {
    return outputs.get(vertexId);
  }
}
