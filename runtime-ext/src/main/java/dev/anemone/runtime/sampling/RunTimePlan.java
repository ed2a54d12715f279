// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.sampling;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.passes.PassContext;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the application master needs to run the run-time passes of a job; it travels there.
 *
 * @param dag the graph as the policy left it; of the parts of its sources it has sizes and hosts,
 *     and not what they read, which no pass asks for
 * @param passes class names of the run-time passes, in order
 * @param slots see {@link PassContext}
 * @param memoryPerTaskBytes see {@link PassContext}
 * @param options see {@link PassContext}
 * @param resizableVertices ids of the vertices whose stages can get fewer tasks
 */
public record RunTimePlan(
    IRDag dag,
    List<String> passes,
    int slots,
    long memoryPerTaskBytes,
    Map<String, String> options,
    Set<String> resizableVertices) {

  public RunTimePlan {
    dag = withoutContents(dag);
    passes = List.copyOf(passes);
    // Sorted, so that equal plans are equal bytes.
    options = new TreeMap<>(options);
    resizableVertices = new TreeSet<>(resizableVertices);
  }

  private static IRDag withoutContents(IRDag dag) {
    IRDag.Builder builder = dag.toBuilder();
    for (IRVertex vertex : dag.vertices()) {
      if (vertex instanceof SourceVertex source) {
        builder.replace(
            source.withParts(
                source.parts().stream()
                    .map(
                        part ->
                            new SourcePart(
                                FunctionSpec.of(part.spec().urn()), part.sizeBytes(), part.hosts()))
                    .toList()));
      }
    }
    return builder.build();
  }

  PassContext context() {
    return PassContext.of(slots, memoryPerTaskBytes, options).withResizable(resizableVertices);
  }
}
