// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import dev.anemone.examples.PipelineRuns;
import dev.anemone.examples.files.Location;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.options.Validation;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.WithKeys;

/**
 * Sorts files of records by their keys, as Hadoop's TeraSort does: a sample of the input cuts the
 * keys into ranges, one shuffle brings the records of a range together, and each range is sorted in
 * memory. The result is a file for each range, {@code part-00000} and so on; read in this order
 * they are sorted. Records with equal keys are sorted by what follows the key, so the same input
 * gives the same bytes in any run.
 *
 * <p>The files appear only when all ranges are sorted; a run that fails leaves none.
 *
 * <pre>{@code
 * bin/anemone teragen --records=1000000 --output=/tmp/tera/input
 * bin/anemone terasort --input=/tmp/tera/input --output=/tmp/tera/sorted
 * bin/anemone teravalidate --output=/tmp/tera/sorted --input=/tmp/tera/input
 * }</pre>
 */
public final class TeraSort {

  /** What to sort and where to put the result. */
  public interface Options extends PipelineOptions {
    @Description("Records to sort: a directory with files part-..., a file, or a pattern")
    @Validation.Required
    String getInput();

    void setInput(String input);

    @Description("Directory for the result files, which must not hold any yet")
    @Validation.Required
    String getOutput();

    void setOutput(String output);

    @Description("Number of ranges; by default a range has about 10 MB")
    @Default.Integer(0)
    int getRanges();

    void setRanges(int ranges);
  }

  private static final long RANGE_RECORDS = 100_000;
  private static final int MAXIMUM_RANGES = 100_000;

  /** The most records that a range may have: 268 MB. */
  private static final int MAXIMUM_RANGE_RECORDS = (256 << 20) / TeraRecord.BYTES;

  private static final int SAMPLES_PER_RANGE = 40;
  private static final int MINIMUM_SAMPLES = 1_000;

  /** Hadoop's default, for any number of ranges. */
  private static final int MAXIMUM_SAMPLES = 100_000;

  private TeraSort() {}

  /**
   * Sorts and prints the names of the result files, and to the standard error stream the time.
   *
   * @throws IllegalArgumentException if an option is missing, unknown or out of range, if the input
   *     does not consist of records, or if the output directory cannot be written to or holds a
   *     result
   * @throws IllegalStateException if the pipeline ended in another state than {@code DONE}
   * @throws IOException if the input cannot be sampled or the result cannot be listed
   */
  public static void main(String[] args) throws IOException {
    Options options = PipelineOptionsFactory.fromArgs(args).withValidation().as(Options.class);
    FileSystems.setDefaultPipelineOptions(options);
    long start = System.nanoTime();
    RecordFiles input = input(options);
    requireRanges(options);
    PartFiles output = PartFiles.inFreeDirectory(output(options));
    try {
      PipelineRuns.complete(pipeline(options, input));
      output.deleteUnfinished();
    } catch (IOException | RuntimeException | Error failed) {
      output.abandon(failed);
      throw failed;
    }
    List<String> files = output.finished();
    files.forEach(System.out::println);
    System.err.printf(
        Locale.ROOT,
        "%,d records in %,d files, %.2f s%n",
        input.records(),
        files.size(),
        (System.nanoTime() - start) / 1e9);
  }

  /**
   * Builds the pipeline and does not run it. The input is sampled for that.
   *
   * @throws IllegalArgumentException if the input does not consist of records, or an option is out
   *     of range
   * @throws IOException if the input cannot be sampled
   */
  public static Pipeline pipeline(Options options) throws IOException {
    FileSystems.setDefaultPipelineOptions(options);
    requireRanges(options);
    return pipeline(options, input(options));
  }

  private static Pipeline pipeline(Options options, RecordFiles input) throws IOException {
    KeyRanges ranges = ranges(options, input);
    PartFiles parts = PartFiles.in(output(options));
    Pipeline pipeline = Pipeline.create(options);
    pipeline
        .apply("ReadRecords", Read.from(new RecordSource(input.pattern())))
        .apply("KeyByRange", ParDo.of(new KeyByRangeFn(ranges)))
        .setCoder(KvCoder.of(VarIntCoder.of(), RecordCoder.of()))
        .apply("GroupByRange", GroupByKey.create())
        .apply("SortRange", ParDo.of(new SortRangeFn(parts, MAXIMUM_RANGE_RECORDS)))
        .apply("KeyAll", WithKeys.of(0))
        .apply("GroupAll", GroupByKey.create())
        .apply("Publish", ParDo.of(new PublishFn(parts, input.records())));
    return pipeline;
  }

  private static KeyRanges ranges(Options options, RecordFiles input) throws IOException {
    int wanted = options.getRanges();
    if (wanted == 0) {
      long bySize = (input.records() + RANGE_RECORDS - 1) / RANGE_RECORDS;
      wanted = (int) Math.min(MAXIMUM_RANGES, bySize);
    }
    int samples = Math.max(MINIMUM_SAMPLES, Math.min(MAXIMUM_SAMPLES, wanted * SAMPLES_PER_RANGE));
    return KeyRanges.ofSample(KeySampler.sample(input, samples), wanted);
  }

  private static void requireRanges(Options options) {
    int ranges = options.getRanges();
    if (ranges < 0 || ranges > MAXIMUM_RANGES) {
      throw new IllegalArgumentException(
          "--ranges="
              + ranges
              + " is out of range. Give a number from 1 to "
              + MAXIMUM_RANGES
              + ", or leave it out.");
    }
  }

  private static RecordFiles input(Options options) throws IOException {
    return RecordFiles.find(new Location("--input", options.getInput()));
  }

  private static Location output(Options options) {
    return new Location("--output", options.getOutput());
  }
}
