// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.wordcount;

import dev.anemone.examples.PipelineRuns;
import dev.anemone.examples.files.InputFiles;
import dev.anemone.examples.files.ShardedOutput;
import java.io.IOException;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.options.Validation;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.SimpleFunction;
import org.apache.beam.sdk.values.KV;

/**
 * Counts the words of text files. A word is a run of letters; case matters. The result has one line
 * per distinct word, {@code word: count}, in no particular order, and lies in the files {@code
 * <output>-SSSSS-of-NNNNN}.
 *
 * <pre>{@code
 * bin/anemone wordcount --input=README.md --output=/tmp/counts
 * }</pre>
 */
public final class WordCount {

  /** What to count and where to put the result. */
  public interface Options extends PipelineOptions {
    @Description("Text to count: a file or a pattern such as /data/*.txt, also compressed")
    @Validation.Required
    String getInput();

    void setInput(String input);

    @Description("Path prefix of the result files; a directory gets files named counts-...")
    @Validation.Required
    String getOutput();

    void setOutput(String output);
  }

  private static final String DEFAULT_FILE_NAME = "counts";

  private WordCount() {}

  /**
   * Runs the word count and prints where the result is; a detached one is only started.
   *
   * @throws IllegalArgumentException if an option is missing or unknown, if no file matches the
   *     input, or if the output cannot be written
   * @throws IOException if the result files cannot be listed
   */
  public static void main(String[] args) throws IOException {
    Options options = PipelineOptionsFactory.fromArgs(args).withValidation().as(Options.class);
    FileSystems.setDefaultPipelineOptions(options);
    InputFiles.require("--input", options.getInput());
    ShardedOutput output =
        ShardedOutput.prepare("--output", options.getOutput(), DEFAULT_FILE_NAME);
    options.setOutput(output.prefix());
    PipelineRuns.writeFiles(pipeline(options), output);
  }

  /** Builds the pipeline and does not run it. */
  public static Pipeline pipeline(Options options) {
    Pipeline pipeline = Pipeline.create(options);
    pipeline
        .apply(TextIO.read().from(options.getInput()))
        .apply("SplitWords", ParDo.of(new SplitWordsFn()))
        .apply(Count.perElement())
        .apply("FormatCounts", MapElements.via(new FormatCount()))
        .apply(TextIO.write().to(options.getOutput()));
    return pipeline;
  }

  /** Turns a word and its count into a line of the result. */
  private static final class FormatCount extends SimpleFunction<KV<String, Long>, String> {
    private static final long serialVersionUID = 1;

    @Override
    public String apply(KV<String, Long> count) {
      return count.getKey() + ": " + count.getValue();
    }
  }
}
