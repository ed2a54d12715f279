// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability;

import dev.anemone.beam.NemoRunner;
import java.io.IOException;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.stream.StreamSupport;
import org.apache.beam.model.pipeline.v1.ExternalTransforms.ExternalConfigurationPayload;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.coders.RowCoder;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.SchemaTranslation;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.util.CoderUtils;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.ByteString;

/** What tests of Java pipelines that run in harnesses share. */
final class HarnessPipelines {

  /** The counter of {@link InHarness}. */
  static final String IN_HARNESS = "in harness";

  private static final String NAMESPACE = "test";

  private HarnessPipelines() {}

  /** Hands on what it gets, and counts what a harness has handed to it. */
  static final class InHarness extends DoFn<String, String> {
    private final Counter inHarness = Metrics.counter(NAMESPACE, IN_HARNESS);

    @ProcessElement
    public void process(@Element String word, OutputReceiver<String> output) {
      if (Arrays.stream(Thread.currentThread().getStackTrace())
          .anyMatch(frame -> frame.getClassName().startsWith("org.apache.beam.fn.harness."))) {
        inHarness.inc();
      }
      output.output(word);
    }
  }

  /** A pipeline for NemoRunner. */
  static Pipeline create(String... options) {
    PipelineOptions parsed = PipelineOptionsFactory.fromArgs(options).create();
    parsed.setRunner(NemoRunner.class);
    return Pipeline.create(parsed);
  }

  /** What a transform of another SDK is made of. */
  static byte[] payload(Row row) throws IOException {
    return ExternalConfigurationPayload.newBuilder()
        .setSchema(SchemaTranslation.schemaToProto(row.getSchema(), true))
        .setPayload(
            ByteString.copyFrom(CoderUtils.encodeToByteArray(RowCoder.of(row.getSchema()), row)))
        .build()
        .toByteArray();
  }

  /**
   * The committed value of a counter of tests, summed over all steps; empty if none has counted.
   */
  static OptionalLong counter(PipelineResult result, String name) {
    return counter(
        result,
        MetricsFilter.builder().addNameFilter(MetricNameFilter.named(NAMESPACE, name)).build());
  }

  /** The same for one step alone. */
  static OptionalLong counter(PipelineResult result, String name, String step) {
    return counter(
        result,
        MetricsFilter.builder()
            .addNameFilter(MetricNameFilter.named(NAMESPACE, name))
            .addStep(step)
            .build());
  }

  private static OptionalLong counter(PipelineResult result, MetricsFilter filter) {
    return StreamSupport.stream(
            result.metrics().queryMetrics(filter).getCounters().spliterator(), false)
        .mapToLong(found -> found.getCommitted())
        .reduce(Long::sum);
  }
}
