// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn;

import dev.anemone.examples.wordcount.SplitWordsFn;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;

/** A word count in which all words are shuffled, and with points where faults may happen. */
final class FaultyWordCount {

  /** In the middle of a task that reads the text. */
  static final String SPLIT = "split";

  /** In the middle of a task that counts. */
  static final String COUNT = "count";

  private FaultyWordCount() {}

  /**
   * The pipeline.
   *
   * @param input pattern of text files
   * @param output prefix of the result's files, which have a line {@code word: count} for each word
   */
  static Pipeline pipeline(PipelineOptions options, String input, String output) {
    Pipeline pipeline = Pipeline.create(options);
    pipeline
        .apply(TextIO.read().from(input))
        .apply("Split", ParDo.of(new SplitWordsFn()))
        .apply("FaultInSplit", ParDo.of(new FaultPointFn<>(SPLIT)))
        .apply("Pair", ParDo.of(new PairFn()))
        .apply("Group", GroupByKey.create())
        .apply("Count", ParDo.of(new CountFn()))
        .apply("FaultInCount", ParDo.of(new FaultPointFn<>(COUNT)))
        .apply(TextIO.write().to(output).withNoSpilling());
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
