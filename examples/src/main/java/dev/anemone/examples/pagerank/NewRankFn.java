// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.pagerank;

import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollectionView;

/** Makes the rank of a vertex from the shares that it was given. */
final class NewRankFn extends DoFn<KV<String, Double>, KV<String, Double>> {
  private static final long serialVersionUID = 1;

  private final PCollectionView<Long> count;
  private final PCollectionView<Double> unlinked;
  private final double damping;

  /**
   * @param count of the vertices
   * @param unlinked the sum of the ranks of vertices without links
   * @param damping the probability that a link is followed
   */
  NewRankFn(PCollectionView<Long> count, PCollectionView<Double> unlinked, double damping) {
    this.count = count;
    this.unlinked = unlinked;
    this.damping = damping;
  }

  /** Ranks one vertex. */
  @ProcessElement
  public void processElement(ProcessContext context) {
    KV<String, Double> shares = context.element();
    long vertices = context.sideInput(count);
    double followed = shares.getValue() + context.sideInput(unlinked) / vertices;
    context.output(KV.of(shares.getKey(), (1 - damping) / vertices + damping * followed));
  }
}
