// SPDX-License-Identifier: Apache-2.0
package com.example;

import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;

/** The program that the documents run as an example of a user's own: it counts lines. */
public final class MyPipeline {
  private static final Counter LINES = Metrics.counter(MyPipeline.class, "lines");

  /** What to read. */
  public interface Options extends PipelineOptions {
    String getInput();

    void setInput(String files);
  }

  private MyPipeline() {}

  public static void main(String[] args) {
    Options options = PipelineOptionsFactory.fromArgs(args).withValidation().as(Options.class);
    Pipeline pipeline = Pipeline.create(options);
    pipeline.apply(TextIO.read().from(options.getInput())).apply(ParDo.of(new CountFn()));
    var result = pipeline.run();
    result.waitUntilFinish();
    MetricNameFilter lines = MetricNameFilter.named(MyPipeline.class, "lines");
    result
        .metrics()
        .queryMetrics(MetricsFilter.builder().addNameFilter(lines).build())
        .getCounters()
        .forEach(counter -> System.out.println("lines: " + counter.getCommitted()));
  }

  private static final class CountFn extends DoFn<String, Void> {
    private static final long serialVersionUID = 1;

    @ProcessElement
    public void processElement() {
      LINES.inc();
    }
  }
}
