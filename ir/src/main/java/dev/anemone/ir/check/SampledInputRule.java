// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.Partitioner;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A clone reads exactly what the tasks of its original read that it samples: for each in-edge of
 * the original it has one of the same input, output, coder, pattern and partitions, from the same
 * vertex or from that vertex's clone of the same sample.
 */
public final class SampledInputRule implements CheckRule {

  @Override
  public String name() {
    return "sampled-input";
  }

  /** What must be the same in both in-edges. */
  private record Read(
      String from,
      String output,
      String input,
      FunctionSpec elementCoder,
      CommunicationPattern pattern) {}

  @Override
  public List<Violation> check(IRDag dag) {
    Violations violations = new Violations(this);
    for (IRVertex vertex : dag.vertices()) {
      if (vertex instanceof SampledVertex clone && dag.hasVertex(clone.original())) {
        check(dag, clone, violations);
      }
    }
    return violations.list();
  }

  private static void check(IRDag dag, SampledVertex clone, Violations violations) {
    Map<Read, List<IREdge>> ofOriginal =
        dag.incoming(clone.original()).stream()
            .collect(Collectors.groupingBy(edge -> read(edge, edge.from())));
    Map<Read, List<IREdge>> ofClone =
        dag.incoming(clone.id()).stream()
            .collect(Collectors.groupingBy(edge -> read(edge, original(dag, edge.from(), clone))));
    Set<Read> all = new HashSet<>(ofOriginal.keySet());
    all.addAll(ofClone.keySet());
    for (Read read : all) {
      List<IREdge> expected = ofOriginal.getOrDefault(read, List.of());
      List<IREdge> found = ofClone.getOrDefault(read, List.of());
      if (expected.size() != found.size()) {
        violations.add(
            clone,
            "reads output "
                + read.output()
                + " of "
                + read.from()
                + " by the edges "
                + ids(found)
                + ", but its original by "
                + ids(expected)
                + "; for each there must be an equal other");
      } else if (differ(expected, found)) {
        violations.add(
            clone,
            "reads other partitions of "
                + read.from()
                + " by the edges "
                + ids(found)
                + " than its original by "
                + ids(expected));
      }
    }
  }

  private static Read read(IREdge edge, String from) {
    return new Read(from, edge.output(), edge.input(), edge.elementCoder(), edge.pattern());
  }

  private static String original(IRDag dag, String vertexId, SampledVertex clone) {
    return dag.vertex(vertexId) instanceof SampledVertex other
            && other.sample().equals(clone.sample())
        ? other.original()
        : vertexId;
  }

  private static boolean differ(List<IREdge> expected, List<IREdge> found) {
    return differ(expected, found, PartitionSet.class)
        || differ(expected, found, Partitioner.class);
  }

  private static <P extends EdgeProperty> boolean differ(
      List<IREdge> expected, List<IREdge> found, Class<P> type) {
    boolean present =
        expected.stream().allMatch(edge -> edge.property(type).isPresent())
            && found.stream().allMatch(edge -> edge.property(type).isPresent());
    return present && !counted(expected, type).equals(counted(found, type));
  }

  private static <P extends EdgeProperty> Map<P, Long> counted(List<IREdge> edges, Class<P> type) {
    return edges.stream()
        .map(edge -> edge.property(type).orElseThrow())
        .collect(Collectors.groupingBy(value -> value, Collectors.counting()));
  }

  private static Set<String> ids(List<IREdge> edges) {
    return edges.stream().map(IREdge::id).collect(Collectors.toCollection(TreeSet::new));
  }
}
