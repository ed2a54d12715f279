// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.metrics.EdgeMetrics;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.examples.wordcount.WordCount;
import java.io.IOException;
import java.util.stream.StreamSupport;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program has the same result on a cluster as in the program's own JVM, with every policy. */
class YarnEquivalenceIT {
  private static final org.joda.time.Duration JOB_LIMIT = org.joda.time.Duration.standardMinutes(5);

  private static TestCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = TestCluster.shared();
  }

  @AfterEach
  void nothingIsHeld() throws IOException {
    cluster.faults().disarm();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Default",
        "BasicPush",
        "LargeShuffle",
        "ConditionalLargeShuffle",
        "DataSkew",
        "SamplingLargeShuffleSkew",
        "TransientResource"
      })
  void bothDeploymentsWriteTheSame(String policy) throws Exception {
    NemoPipelineOptions here = cluster.options("here", policy);
    here.setDeployMode("local");
    here.setSlots(TestCluster.NODES);
    NemoPipelineOptions there = cluster.options("there", policy);

    run(here);
    run(there);

    assertThat(cluster.takeResult("there"))
        .isEqualTo(cluster.takeResult("here"))
        .isEqualTo(cluster.trueCounts());
  }

  @Test
  @Tag("nightly")
  void whatIsPushedMayGoOverATransport() throws Exception {
    NemoPipelineOptions options = cluster.options("transport", "LargeShuffle");
    options.setPushTransport("tcp");

    PipelineResult result = run(options);

    assertThat(cluster.takeResult("transport")).isEqualTo(cluster.trueCounts());
    assertThat(sum(result, "transportBytes")).isPositive().isEqualTo(sum(result, "pushedBytes"));
  }

  /** Each node has what the others need: no task ends before one runs on each of them. */
  @Test
  @Tag("nightly")
  void whatIsPulledMayComeByATransport() throws Exception {
    NemoPipelineOptions options = cluster.optionsOnEachNode("pulled", "Default");
    options.setPushTransport("tcp");
    options.setPullByTransport(true);
    cluster
        .faults()
        .arm(Fault.once(Fault.Kind.HOLD, "BEGUN").inStages("^stage0$").times(TestCluster.NODES));

    PipelineResult running = start(options);
    cluster.faults().awaitStrikes(TestCluster.NODES);
    cluster.faults().release();
    PipelineResult result = ended(running);

    assertThat(cluster.takeResult("pulled")).isEqualTo(cluster.trueCounts());
    assertThat(sum(result, "fetchedBytes")).isPositive();
    assertThat(sum(result, "transportFetchedBytes")).isEqualTo(sum(result, "fetchedBytes"));
  }

  private static long sum(PipelineResult result, String counter) {
    MetricsFilter filter =
        MetricsFilter.builder()
            .addNameFilter(MetricNameFilter.named(EdgeMetrics.NAMESPACE, counter))
            .build();
    return StreamSupport.stream(
            result.metrics().queryMetrics(filter).getCounters().spliterator(), false)
        .mapToLong(MetricResult::getAttempted)
        .sum();
  }

  private static PipelineResult run(NemoPipelineOptions options) {
    return ended(start(options));
  }

  private static PipelineResult start(NemoPipelineOptions options) {
    WordCount.Options wordCount = options.as(WordCount.Options.class);
    wordCount.setInput(cluster.input());
    wordCount.setOutput(cluster.output(options.getJobName()));
    return WordCount.pipeline(wordCount).run();
  }

  private static PipelineResult ended(PipelineResult result) {
    assertThat(result.waitUntilFinish(JOB_LIMIT)).isEqualTo(PipelineResult.State.DONE);
    return result;
  }
}
