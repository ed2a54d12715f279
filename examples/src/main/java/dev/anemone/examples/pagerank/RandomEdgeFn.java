// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.pagerank;

import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.KV;

/** Makes the edges of a random graph from their numbers. */
final class RandomEdgeFn extends DoFn<Long, KV<String, String>> {
  private static final long serialVersionUID = 1;

  private final RandomGraph graph;

  RandomEdgeFn(RandomGraph graph) {
    this.graph = graph;
  }

  /** Makes one edge. */
  @ProcessElement
  public void processElement(@Element Long number, OutputReceiver<KV<String, String>> out) {
    out.output(graph.edge(number));
  }
}
