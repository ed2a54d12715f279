// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.VertexProperty;

/** Hands graphs to one rule. */
final class RuleAssertions {

  private RuleAssertions() {}

  static void assertGood(CheckRule rule, IRDag dag) {
    assertThat(rule.check(dag)).isEmpty();
  }

  /** The rule is broken at one place, and the message says where and what. */
  static void assertBroken(CheckRule rule, IRDag dag, String subject, String message) {
    assertThat(rule.check(dag))
        .singleElement()
        .satisfies(
            violation -> {
              assertThat(violation.rule()).isEqualTo(rule.name());
              assertThat(violation.subject()).isEqualTo(subject);
              assertThat(violation.message())
                  .containsAnyOf("vertex " + subject + " ", "edge " + subject + " ")
                  .contains(message);
            });
  }

  static IRDag withVertexProperty(IRDag dag, String vertexId, VertexProperty property) {
    IRVertex vertex = dag.vertex(vertexId);
    return dag.toBuilder()
        .replace(vertex.withProperties(vertex.properties().with(property)))
        .build();
  }

  static IRDag withEdgeProperty(IRDag dag, String edgeId, EdgeProperty property) {
    return dag.toBuilder().replace(dag.edge(edgeId).with(property)).build();
  }

  static IRDag withoutEdgeProperty(IRDag dag, String edgeId, Class<? extends EdgeProperty> type) {
    IREdge edge = dag.edge(edgeId);
    return dag.toBuilder().replace(edge.withProperties(edge.properties().without(type))).build();
  }
}
