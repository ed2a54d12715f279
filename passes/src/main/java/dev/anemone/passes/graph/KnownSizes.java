// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.graph;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.ShuffleAliases;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.relational.exchange.ExchangeWrite;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How many bytes flow out of each vertex at most, where that is known, for decisions of which the
 * wrong one is dear: unlike {@link InputEstimates}, which has a number for every vertex, this knows
 * nothing
 *
 * <ul>
 *   <li>of a source with a part of unknown size, and of all that is made of one;
 *   <li>of an operator that divides work;
 *   <li>of a query with a join, which may give more rows than it gets, unless whoever made the
 *       query has estimated what goes over the exchange behind it.
 * </ul>
 *
 * <p>Else what is estimated of an exchange is believed, and every vertex hands on as much as it is
 * given. Immutable and thread-safe.
 */
public final class KnownSizes {

  private final Map<String, OptionalLong> outputs;

  private KnownSizes(Map<String, OptionalLong> outputs) {
    this.outputs = outputs;
  }

  public static KnownSizes of(IRDag dag) {
    KnownSizes sizes = new KnownSizes(new HashMap<>());
    for (IRVertex vertex : dag.vertices()) {
      sizes.outputs.put(vertex.id(), sizes.made(dag, vertex));
    }
    return sizes;
  }

  /** The most bytes that all tasks of a vertex give together; empty where nobody knows. */
  public OptionalLong output(String vertexId) {
    return outputs.get(vertexId);
  }

  private OptionalLong made(IRDag dag, IRVertex vertex) {
    if (vertex instanceof SourceVertex source) {
      return source.parts().stream().mapToLong(SourcePart::sizeBytes).allMatch(size -> size > 0)
          ? OptionalLong.of(source.sizeBytes())
          : OptionalLong.empty();
    }
    if (InputEstimates.dividesWork(vertex)) {
      return OptionalLong.empty();
    }
    if (vertex instanceof OperatorVertex operator) {
      OptionalLong estimated =
          RelationalFunctions.exchangeOf(operator.operator())
              .map(ExchangeWrite::exchange)
              .map(exchange -> exchange.bytes())
              .orElse(OptionalLong.empty());
      if (estimated.isPresent() || joins(operator.operator())) {
        return estimated;
      }
    }
    return given(dag, vertex);
  }

  private OptionalLong given(IRDag dag, IRVertex vertex) {
    long sum = 0;
    for (IREdge edge : dag.incoming(vertex.id())) {
      if (edge.pattern() == CommunicationPattern.BROADCAST || ShuffleAliases.isAlias(dag, edge)) {
        continue;
      }
      OptionalLong bytes = outputs.get(edge.from());
      if (bytes.isEmpty()) {
        return bytes;
      }
      long more = sum + bytes.getAsLong();
      sum = more < 0 ? Long.MAX_VALUE : more;
    }
    return OptionalLong.of(sum);
  }

  private static boolean joins(FunctionSpec function) {
    Optional<RelationalQuery> query =
        RelationalFunctions.engineQueryOf(function)
            .or(() -> RelationalFunctions.piecedOf(function).map(pieced -> pieced.query()));
    return query.isPresent() && joins(query.get().root());
  }

  private static boolean joins(Relation relation) {
    return relation instanceof Relation.Join
        || relation.inputs().stream().anyMatch(KnownSizes::joins);
  }
}
