// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.pagerank;

import java.util.List;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Sum;
import org.apache.beam.sdk.transforms.join.CoGroupByKey;
import org.apache.beam.sdk.transforms.join.KeyedPCollectionTuple;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.TupleTagList;

/**
 * One step of the surfer: every vertex hands its rank on along its links, and what vertices without
 * links have goes to all alike.
 *
 * <pre>
 * links -+
 *        +- join by vertex -+- shares - sum by vertex --+- new ranks
 * ranks -+                  +- ranks of vertices        |
 *                              without links - sum -----+
 * </pre>
 */
final class Iteration
    extends PTransform<PCollection<KV<String, Double>>, PCollection<KV<String, Double>>> {
  private static final long serialVersionUID = 1;

  private final transient PCollection<KV<String, List<String>>> links;
  private final PCollectionView<Long> count;
  private final double damping;

  /**
   * @param links of all vertices
   * @param count of the vertices
   * @param damping the probability that a link is followed
   */
  Iteration(
      PCollection<KV<String, List<String>>> links, PCollectionView<Long> count, double damping) {
    this.links = links;
    this.count = count;
    this.damping = damping;
  }

  @Override
  public PCollection<KV<String, Double>> expand(PCollection<KV<String, Double>> ranks) {
    PCollectionTuple spread =
        KeyedPCollectionTuple.of(SpreadRankFn.LINKS, links)
            .and(SpreadRankFn.RANKS, ranks)
            .apply("JoinLinks", CoGroupByKey.create())
            .apply(
                "SpreadRank",
                ParDo.of(new SpreadRankFn())
                    .withOutputTags(SpreadRankFn.SHARES, TupleTagList.of(SpreadRankFn.UNLINKED)));
    PCollectionView<Double> unlinked =
        spread
            .get(SpreadRankFn.UNLINKED)
            .apply("SumUnlinked", Sum.doublesGlobally().asSingletonView());
    return spread
        .get(SpreadRankFn.SHARES)
        .apply("SumShares", Sum.doublesPerKey())
        .apply(
            "NewRank",
            ParDo.of(new NewRankFn(count, unlinked, damping)).withSideInputs(count, unlinked));
  }
}
