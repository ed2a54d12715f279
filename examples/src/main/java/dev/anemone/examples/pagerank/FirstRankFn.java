// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.pagerank;

import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollectionView;

/** Gives all vertices the same rank. */
final class FirstRankFn extends DoFn<String, KV<String, Double>> {
  private static final long serialVersionUID = 1;

  private final PCollectionView<Long> count;

  /**
   * @param count of the vertices
   */
  FirstRankFn(PCollectionView<Long> count) {
    this.count = count;
  }

  /** Ranks one vertex. */
  @ProcessElement
  public void processElement(ProcessContext context) {
    context.output(KV.of(context.element(), 1.0 / context.sideInput(count)));
  }
}
