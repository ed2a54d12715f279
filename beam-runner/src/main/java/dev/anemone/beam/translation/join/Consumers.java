// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation.join;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.runners.TransformHierarchy.Node;
import org.apache.beam.sdk.values.PCollection;

/** The primitive transforms that make and read the collections of a pipeline. */
final class Consumers {

  private final Map<PCollection<?>, Node> producers = new HashMap<>();
  private final Map<PCollection<?>, List<Node>> consumers = new HashMap<>();

  private Consumers() {}

  /** Those of all collections. */
  static Consumers of(Pipeline pipeline) {
    Consumers found = new Consumers();
    pipeline.traverseTopologically(
        new Pipeline.PipelineVisitor.Defaults() {
          @Override
          public void visitPrimitiveTransform(Node node) {
            for (PCollection<?> input : node.getInputs().values()) {
              found.consumers.computeIfAbsent(input, i -> new ArrayList<>()).add(node);
            }
            for (PCollection<?> output : node.getOutputs().values()) {
              found.producers.put(output, node);
            }
          }
        });
    return found;
  }

  /** What reads a collection, as a side input, too; twice where it reads it twice. */
  List<Node> of(PCollection<?> collection) {
    return consumers.getOrDefault(collection, List.of());
  }

  /** What makes a collection. */
  Optional<Node> producerOf(PCollection<?> collection) {
    return Optional.ofNullable(producers.get(collection));
  }
}
