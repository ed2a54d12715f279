// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.pagerank;

import java.util.List;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.join.CoGbkResult;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.TupleTag;

/** Gives equal shares of a vertex's rank to the vertices that it links to. */
final class SpreadRankFn extends DoFn<KV<String, CoGbkResult>, KV<String, Double>> {
  private static final long serialVersionUID = 1;

  static final TupleTag<List<String>> LINKS = new TupleTag<>("links") {};
  static final TupleTag<Double> RANKS = new TupleTag<>("ranks") {};

  /** Shares of ranks, at least one for each vertex. */
  static final TupleTag<KV<String, Double>> SHARES = new TupleTag<>("shares") {};

  /** The ranks of vertices without links. */
  static final TupleTag<Double> UNLINKED = new TupleTag<>("unlinked") {};

  /** Divides the rank of one vertex. */
  @ProcessElement
  public void processElement(@Element KV<String, CoGbkResult> vertex, MultiOutputReceiver outputs) {
    List<String> links = vertex.getValue().getOnly(LINKS);
    double rank = vertex.getValue().getOnly(RANKS);
    OutputReceiver<KV<String, Double>> shares = outputs.get(SHARES);
    // A vertex that nobody links to has a rank, too.
    shares.output(KV.of(vertex.getKey(), 0.0));
    if (links.isEmpty()) {
      outputs.get(UNLINKED).output(rank);
    }
    for (String link : links) {
      shares.output(KV.of(link, rank / links.size()));
    }
  }
}
