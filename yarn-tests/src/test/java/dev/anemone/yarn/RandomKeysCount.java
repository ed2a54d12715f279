// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn;

import dev.anemone.examples.wordcount.SplitWordsFn;
import java.security.SecureRandom;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;

/**
 * A word count whose words first go to tasks by keys that are random: a task that runs again sends
 * each of them elsewhere.
 */
final class RandomKeysCount {

  private RandomKeysCount() {}

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
        .apply("RandomKey", ParDo.of(new RandomKeyFn()))
        .apply("Spread", GroupByKey.create())
        .apply("Words", ParDo.of(new ValuesFn()))
        .apply("Count", Count.perElement())
        .apply("Format", ParDo.of(new FormatFn()))
        .apply(TextIO.write().to(output).withNoSpilling());
    return pipeline;
  }

  private static final class RandomKeyFn extends DoFn<String, KV<Integer, String>> {
    private static final long serialVersionUID = 1;

    private final SecureRandom random = new SecureRandom();

    @ProcessElement
    public void processElement(@Element String word, OutputReceiver<KV<Integer, String>> out) {
      out.output(KV.of(random.nextInt(), word));
    }
  }

  private static final class ValuesFn extends DoFn<KV<Integer, Iterable<String>>, String> {
    private static final long serialVersionUID = 1;

    @ProcessElement
    public void processElement(
        @Element KV<Integer, Iterable<String>> words, OutputReceiver<String> out) {
      words.getValue().forEach(out::output);
    }
  }

  private static final class FormatFn extends DoFn<KV<String, Long>, String> {
    private static final long serialVersionUID = 1;

    @ProcessElement
    public void processElement(@Element KV<String, Long> word, OutputReceiver<String> out) {
      out.output(word.getKey() + ": " + word.getValue());
    }
  }
}
