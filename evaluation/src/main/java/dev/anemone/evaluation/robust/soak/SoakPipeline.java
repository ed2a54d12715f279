// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.soak;

import dev.anemone.examples.wordcount.SplitWordsFn;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;

/**
 * A word count in which all words are shuffled, with a point for a fault on either side of that.
 */
final class SoakPipeline {
  private SoakPipeline() {}

  /**
   * The pipeline.
   *
   * @param output prefix of the result's files, which have a line {@code word: count} for each word
   * @param onTheLeft whether the fault happens before the shuffle; otherwise it does behind it
   */
  static Pipeline of(
      PipelineOptions options, String input, String output, SoakPointFn point, boolean onTheLeft) {
    Pipeline pipeline = Pipeline.create(options);
    var words =
        pipeline.apply(TextIO.read().from(input)).apply("Split", ParDo.of(new SplitWordsFn()));
    if (onTheLeft) {
      words = words.apply("Fault", ParDo.of(point));
    }
    var counts =
        words
            .apply("Pair", ParDo.of(new PairFn()))
            .apply("Group", GroupByKey.create())
            .apply("Count", ParDo.of(new CountFn()));
    if (!onTheLeft) {
      counts = counts.apply("Fault", ParDo.of(point));
    }
    counts.apply(TextIO.write().to(output).withNoSpilling());
    return pipeline;
  }

  private static final class PairFn extends DoFn<String, KV<String, Integer>> {
    private static final long serialVersionUID = 1;

    @ProcessElement
    public void processElement(@Element String word, OutputReceiver<KV<String, Integer>> out) {
      out.output(KV.of(word, 1));
    }
  }

  private static final class CountFn extends DoFn<KV<String, Iterable<Integer>>, String> {
    private static final long serialVersionUID = 1;

    @ProcessElement
    public void processElement(
        @Element KV<String, Iterable<Integer>> word, OutputReceiver<String> out) {
      int count = 0;
      for (int one : word.getValue()) {
        count += one;
      }
      out.output(word.getKey() + ": " + count);
    }
  }
}
