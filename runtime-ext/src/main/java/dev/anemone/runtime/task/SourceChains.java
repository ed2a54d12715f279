// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.task;

import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.PushdownCosts;
import dev.anemone.runtime.spi.FunctionProvider;
import dev.anemone.runtime.spi.SourceOperators;
import dev.anemone.runtime.stage.StagePlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The operators of a stage that the readers of its sources run themselves: those that follow a
 * source one after the other, read nothing else, and whose input nobody else reads. Immutable.
 */
final class SourceChains {

  private final Map<String, List<OperatorVertex>> absorbed;
  private final Set<String> absorbedIds;

  private SourceChains(Map<String, List<OperatorVertex>> absorbed) {
    this.absorbed = absorbed;
    this.absorbedIds = new HashSet<>();
    absorbed.values().forEach(chain -> chain.forEach(vertex -> absorbedIds.add(vertex.id())));
  }

  static SourceChains of(StagePlan plan, FunctionProviders providers) {
    Map<String, List<OperatorVertex>> absorbed = new HashMap<>();
    for (IRVertex vertex : plan.stage().vertices()) {
      if (vertex instanceof SourceVertex source) {
        absorbed.put(source.id(), chain(plan, source, providers.of(source.source())));
      }
    }
    return new SourceChains(absorbed);
  }

  private static List<OperatorVertex> chain(
      StagePlan plan, SourceVertex source, FunctionProvider provider) {
    List<OperatorVertex> chain = new ArrayList<>();
    Optional<OperatorVertex> next = onlyReader(plan, source.id());
    while (next.isPresent() && provider.absorbs(source.source(), next.get().operator())) {
      chain.add(next.get());
      next = onlyReader(plan, next.get().id());
    }
    return List.copyOf(chain);
  }

  /** The one operator that reads a vertex, when nothing else does and it reads nothing else. */
  private static Optional<OperatorVertex> onlyReader(StagePlan plan, String id) {
    boolean leaves =
        plan.outputs().stream()
            .flatMap(link -> link.channels().stream())
            .anyMatch(channel -> channel.edge().from().equals(id));
    List<IREdge> readers = plan.inner().stream().filter(edge -> edge.from().equals(id)).toList();
    if (leaves || readers.size() != 1) {
      return Optional.empty();
    }
    String reader = readers.get(0).to();
    boolean readsOthers =
        plan.inner().stream().filter(edge -> edge.to().equals(reader)).count() > 1
            || plan.inputs().stream()
                .flatMap(link -> link.channels().stream())
                .anyMatch(channel -> channel.edge().to().equals(reader));
    return plan.stage().vertices().stream()
        .filter(vertex -> !readsOthers && vertex.id().equals(reader))
        .filter(OperatorVertex.class::isInstance)
        .map(OperatorVertex.class::cast)
        .findFirst();
  }

  /** Whether a reader runs the operator of a vertex. */
  boolean isAbsorbed(String vertexId) {
    return absorbedIds.contains(vertexId);
  }

  /** The vertex whose output the source's readers give. */
  String lastOf(SourceVertex source) {
    List<OperatorVertex> chain = absorbed.get(source.id());
    return chain.isEmpty() ? source.id() : chain.get(chain.size() - 1).id();
  }

  /**
   * What the source's readers run.
   *
   * @param filters as {@link SourceOperators#filters()}
   */
  SourceOperators operatorsOf(SourceVertex source, List<FunctionSpec> filters) {
    return new SourceOperators(
        filters,
        specs(source.pushed()),
        specs(absorbed.get(source.id())),
        source.property(PushdownCosts.class));
  }

  private static List<FunctionSpec> specs(List<OperatorVertex> vertices) {
    return vertices.stream().map(OperatorVertex::operator).toList();
  }
}
