// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.minimal;

import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricQueryResults;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;

/**
 * Three elements, one ParDo that counts them. Run several times in one JVM, it shows what a warm
 * runner needs for a pipeline that has nothing to do.
 *
 * <pre>{@code
 * bin/anemone run dev.anemone.examples.minimal.Minimal --repetitions=5
 * }</pre>
 */
public final class Minimal {

  /** How often to run. */
  public interface Options extends PipelineOptions {
    @Description("How many times to run the pipeline, one after the other")
    @Default.Integer(1)
    int getRepetitions();

    void setRepetitions(int repetitions);
  }

  private Minimal() {}

  /**
   * Runs the pipeline and prints, for each repetition, the counted elements and the time.
   *
   * @throws IllegalArgumentException if an option is unknown or {@code --repetitions} is below 1
   */
  public static void main(String[] args) {
    Options options = PipelineOptionsFactory.fromArgs(args).withValidation().as(Options.class);
    if (options.getRepetitions() < 1) {
      throw new IllegalArgumentException(
          "--repetitions is "
              + options.getRepetitions()
              + ", but the pipeline must run at least once. Give a number of 1 or more.");
    }
    for (int repetition = 1; repetition <= options.getRepetitions(); repetition++) {
      long start = System.nanoTime();
      long elements = run(options);
      long milliseconds = (System.nanoTime() - start) / 1_000_000;
      System.out.println(
          "run " + repetition + ": " + elements + " elements, " + milliseconds + " ms");
    }
  }

  /**
   * Builds and runs the pipeline once.
   *
   * @return the number of elements that the ParDo saw, from the pipeline's own counter
   */
  public static long run(PipelineOptions options) {
    Pipeline pipeline = Pipeline.create(options);
    pipeline.apply(Create.of("one", "two", "three")).apply(ParDo.of(new CountElements()));
    var result = pipeline.run();
    result.waitUntilFinish();
    MetricQueryResults metrics =
        result
            .metrics()
            .queryMetrics(
                MetricsFilter.builder()
                    .addNameFilter(MetricNameFilter.named(Minimal.class, CountElements.COUNTER))
                    .build());
    long elements = 0;
    for (MetricResult<Long> counter : metrics.getCounters()) {
      elements += counter.getAttempted();
    }
    return elements;
  }

  /** Counts the elements and passes them on. */
  private static final class CountElements extends DoFn<String, String> {
    private static final long serialVersionUID = 1;
    static final String COUNTER = "elements";

    private final Counter elements = Metrics.counter(Minimal.class, COUNTER);

    @ProcessElement
    public void processElement(@Element String element, OutputReceiver<String> receiver) {
      elements.inc();
      receiver.output(element);
    }
  }
}
