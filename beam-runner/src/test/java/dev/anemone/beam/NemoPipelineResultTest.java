// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.InstanceOfAssertFactories.LONG;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.anemone.beam.metrics.EdgeMetrics;
import dev.anemone.beam.options.NemoPipelineOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.PipelineResult.State;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Distribution;
import org.apache.beam.sdk.metrics.DistributionResult;
import org.apache.beam.sdk.metrics.Gauge;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricQueryResults;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.metrics.MetricsOptions;
import org.apache.beam.sdk.metrics.MetricsSink;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipelineOptions;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.vendor.guava.v32_1_2_jre.com.google.common.util.concurrent.Uninterruptibles;
import org.junit.jupiter.api.Test;

/** What a caller learns of a pipeline while it runs and after. */
class NemoPipelineResultTest {

  private static final Duration DEADLINE = Duration.ofSeconds(60);

  /** Gates that DoFns of running pipelines wait at, by name. */
  private static final Map<String, CountDownLatch> GATES = new ConcurrentHashMap<>();

  /** Values that were pushed to {@link NotingSink}. */
  private static final BlockingQueue<Long> PUSHED = new LinkedBlockingQueue<>();

  @Test
  void aPipelineThatEndsWellIsDone() {
    PipelineResult result = pipeline(new CountElements()).run();

    assertThat(result.waitUntilFinish()).isEqualTo(State.DONE);
    assertThat(result.getState()).isEqualTo(State.DONE);
  }

  @Test
  void runReturnsWhenThePipelineHasEnded() {
    CountDownLatch gate = gate("blocking");
    Thread opener =
        new Thread(
            () -> {
              Uninterruptibles.awaitUninterruptibly(GATES.get("counting"));
              gate.countDown();
            });
    gate("counting");
    opener.start();

    PipelineResult result = pipeline(new CountAndWait("blocking")).run();

    assertThat(result.getState()).isEqualTo(State.DONE);
    assertThat(counted(result)).containsExactly(3L);
  }

  @Test
  void runThrowsWhatTheUserCodeThrew() {
    assertThatThrownBy(() -> pipeline(new Fail()).run())
        .isInstanceOf(Pipeline.PipelineExecutionException.class)
        .hasCauseInstanceOf(IllegalStateException.class)
        .hasRootCauseMessage("element 1 is bad")
        .hasMessageContaining("It failed in task 0 of ");
  }

  @Test
  void aRunThatIsInterruptedCancelsItsPipeline() throws InterruptedException {
    CountDownLatch waiting = gate("waiting");
    CountDownLatch interrupted = gate("interrupted");
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread runner =
        new Thread(() -> thrown.set(catchThrowable(() -> pipeline(new WaitForEver()).run())));
    runner.start();
    assertThat(waiting.await(DEADLINE.toSeconds(), TimeUnit.SECONDS)).isTrue();

    runner.interrupt();

    assertThat(interrupted.await(DEADLINE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    runner.join(DEADLINE.toMillis());
    assertThat(thrown.get())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("was cancelled")
        .hasCauseInstanceOf(InterruptedException.class);
  }

  @Test
  void aTestIsCancelledAtTheEndOfItsTime() throws InterruptedException {
    gate("waiting");
    CountDownLatch interrupted = gate("interrupted");
    Pipeline pipeline = emptyPipeline();
    PAssert.that(pipeline.apply(Create.of(1)).apply("Do", ParDo.of(new WaitForEver()))).empty();
    pipeline.getOptions().as(TestPipelineOptions.class).setTestTimeoutSeconds(1L);

    assertThatThrownBy(pipeline::run)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("1 s of --testTimeoutSeconds");
    assertThat(interrupted.await(DEADLINE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void onlyTestsHaveALimitOfTime() {
    Pipeline test = emptyPipeline();
    PAssert.that(test.apply(Create.of(1))).containsInAnyOrder(1);
    Pipeline production = pipeline(new CountElements());

    assertThat(TestPipelines.limit(test, test.getOptions())).contains(Duration.ofMinutes(15));
    assertThat(TestPipelines.limit(production, production.getOptions())).isEmpty();
  }

  @Test
  void aPipelineWithoutStepsIsDone() {
    PipelineResult result = emptyPipeline().run();

    assertThat(result.getState()).isEqualTo(State.DONE);
    assertThat(result.waitUntilFinish()).isEqualTo(State.DONE);
    assertThat(result.metrics().allMetrics().getCounters()).isEmpty();
  }

  @Test
  void aPipelineWithAssertionsIsWaitedFor() {
    Pipeline pipeline = emptyPipeline();
    PAssert.that(pipeline.apply(Create.of(1))).containsInAnyOrder(2);

    assertThatThrownBy(pipeline::run).hasStackTraceContaining("Expected: iterable");
  }

  @Test
  void nothingIsWaitedForThatIsNotToBlock() {
    Pipeline pipeline = emptyPipeline();
    CountDownLatch gate = gate("assertion");
    PAssert.that(pipeline.apply(Create.of(1)).apply("Do", ParDo.of(new WaitAtGate("assertion"))))
        .empty();
    PipelineResult result = start(pipeline);

    assertThat(result.getState()).isEqualTo(State.RUNNING);
    gate.countDown();
    assertThat(result.waitUntilFinish()).isEqualTo(State.DONE);
  }

  @Test
  void runReturnsAtOnceIfItIsNotToBlockAndWaitingCanTimeOut() {
    CountDownLatch gate = gate("timeout");
    PipelineResult result = start(new WaitAtGate("timeout"));

    assertThat(result.getState()).isEqualTo(State.RUNNING);
    assertThat(result.waitUntilFinish(org.joda.time.Duration.millis(50))).isNull();
    assertThat(result.getState()).isEqualTo(State.RUNNING);

    gate.countDown();
    assertThat(result.waitUntilFinish()).isEqualTo(State.DONE);
  }

  @Test
  void anyDurationCanBeWaitedFor() {
    PipelineResult result = start(new CountElements());

    assertThat(result.waitUntilFinish(org.joda.time.Duration.millis(Long.MAX_VALUE)))
        .isEqualTo(State.DONE);
  }

  @Test
  void aFailedPipelineThrowsWhatTheUserCodeThrew() {
    assertTimeoutPreemptively(
        DEADLINE,
        () -> {
          PipelineResult result = start(new Fail());

          assertThatThrownBy(result::waitUntilFinish)
              .isInstanceOf(Pipeline.PipelineExecutionException.class)
              .hasCauseInstanceOf(IllegalStateException.class)
              .hasRootCauseMessage("element 1 is bad")
              .hasMessageContaining("It failed in task 0 of ");
          assertThat(result.getState()).isEqualTo(State.FAILED);
        });
  }

  @Test
  void aCancelledPipelineEnds() {
    assertTimeoutPreemptively(
        DEADLINE,
        () -> {
          gate("cancel");
          PipelineResult result = start(new WaitAtGate("cancel"));

          assertThat(result.cancel()).isEqualTo(State.CANCELLED);
          assertThat(result.waitUntilFinish()).isEqualTo(State.CANCELLED);
        });
  }

  @Test
  void aPipelineIsCancelledWhateverItsFunctionsDo() {
    CountDownLatch waiting = gate("waiting");
    CountDownLatch gate = gate("stubborn");
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          try {
            PipelineResult result = start(new WaitStubbornly("stubborn"));
            waiting.await();

            assertThat(result.cancel()).isEqualTo(State.CANCELLED);
            assertThat(result.waitUntilFinish()).isEqualTo(State.CANCELLED);
            assertThat(result.getState()).isEqualTo(State.CANCELLED);
          } finally {
            gate.countDown();
          }
        });
    assertThat(pipeline(new CountElements()).run().waitUntilFinish()).isEqualTo(State.DONE);
  }

  @Test
  void metricsAreThereWhenThePipelineIsDone() {
    PipelineResult result = pipeline(new CountElements()).run();
    result.waitUntilFinish();

    MetricQueryResults metrics =
        result
            .metrics()
            .queryMetrics(
                MetricsFilter.builder()
                    .addNameFilter(MetricNameFilter.inNamespace(CountElements.class))
                    .build());
    assertThat(metrics.getCounters()).singleElement().extracting("committed").isEqualTo(3L);
    assertThat(metrics.getDistributions())
        .singleElement()
        .extracting("committed")
        .isEqualTo(DistributionResult.create(6, 3, 1, 3));
    assertThat(metrics.getGauges()).hasSize(1);
    assertThat(metrics.getCounters())
        .singleElement()
        .extracting("key.stepName")
        .isEqualTo("Do/ParMultiDo(CountElements)");
  }

  @Test
  void whatIsCountedIsSeenWhileThePipelineRuns() throws InterruptedException {
    CountDownLatch counting = gate("counting");
    CountDownLatch gate = gate("metrics");
    PipelineResult result = start(new CountAndWait("metrics"));

    assertThat(counting.await(DEADLINE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(counted(result)).singleElement().asInstanceOf(LONG).isPositive();
    assertThat(result.getState()).isEqualTo(State.RUNNING);
    gate.countDown();
    result.waitUntilFinish();
    assertThat(counted(result)).containsExactly(3L);
  }

  private static List<Long> counted(PipelineResult result) {
    List<Long> attempted = new ArrayList<>();
    result
        .metrics()
        .queryMetrics(
            MetricsFilter.builder()
                .addNameFilter(MetricNameFilter.inNamespace(CountAndWait.class))
                .build())
        .getCounters()
        .forEach(counter -> attempted.add(counter.getAttempted()));
    return attempted;
  }

  @Test
  void metricsArePushedWhileThePipelineRunsAndWhenItHasEnded() throws InterruptedException {
    PUSHED.clear();
    gate("counting");
    CountDownLatch gate = gate("push");
    Pipeline pipeline = pipeline(new CountAndWait("push"));
    MetricsOptions options = pipeline.getOptions().as(MetricsOptions.class);
    options.setMetricsSink(NotingSink.class);
    options.setMetricsPushPeriod(1L);
    PipelineResult result = start(pipeline);

    assertThat(PUSHED.poll(DEADLINE.toSeconds(), TimeUnit.SECONDS)).isPositive();
    assertThat(result.getState()).isEqualTo(State.RUNNING);
    gate.countDown();
    Long last = 0L;
    while (last != null && last != 3) {
      last = PUSHED.poll(DEADLINE.toSeconds(), TimeUnit.SECONDS);
    }
    assertThat(last).isEqualTo(3);
  }

  /** Notes the values of the counter of {@link CountAndWait}. */
  public static final class NotingSink implements MetricsSink {

    /** Beam calls this. */
    public NotingSink(MetricsOptions options) {}

    @Override
    public void writeMetrics(MetricQueryResults metrics) {
      for (MetricResult<Long> counter : metrics.getCounters()) {
        if (counter.getName().getNamespace().equals(CountAndWait.class.getName())) {
          PUSHED.add(counter.getAttempted());
        }
      }
    }
  }

  @Test
  void whatWentOverAShuffleIsCounted() {
    Pipeline pipeline =
        Pipeline.create(PipelineOptionsFactory.fromArgs("--runner=NemoRunner").create());
    pipeline
        .apply(Create.of(KV.of("a", 1L), KV.of("b", 2L), KV.of("a", 3L)))
        .apply(GroupByKey.create());
    NemoPipelineResult result = (NemoPipelineResult) pipeline.run();
    result.waitUntilFinish();

    MetricQueryResults records =
        result
            .metrics()
            .queryMetrics(
                MetricsFilter.builder()
                    .addNameFilter(MetricNameFilter.named(EdgeMetrics.NAMESPACE, "records"))
                    .build());
    assertThat(records.getCounters()).singleElement().extracting("committed").isEqualTo(3L);
    String edge = records.getCounters().iterator().next().getKey().stepName();
    assertThat(result.summary().lines())
        .hasSize(2)
        .last()
        .asString()
        .matches(edge + " +3 +[0-9]+ B .*");
  }

  @Test
  void pipelinesOfSeveralThreadsRunSideBySide() throws Exception {
    int pipelines = 3;
    CountDownLatch gate = gate("together");
    ExecutorService threads = Executors.newFixedThreadPool(pipelines);
    try {
      List<Future<State>> states =
          threads.invokeAll(
              IntStream.range(0, pipelines)
                  .mapToObj(
                      i ->
                          (Callable<State>)
                              () -> {
                                // One waits for another, so they cannot run one after the other.
                                DoFn<Integer, Integer> fn =
                                    i == pipelines - 1
                                        ? new OpenGate("together")
                                        : new WaitAtGate("together");
                                return pipeline(fn).run().waitUntilFinish();
                              })
                  .toList());
      for (Future<State> state : states) {
        assertThat(state.get(DEADLINE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(State.DONE);
      }
      assertThat(gate.getCount()).isZero();
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void oneFailingPipelineDoesNotDisturbAnother() {
    CountDownLatch gate = gate("survivor");
    PipelineResult survivor = start(new WaitAtGate("survivor"));
    PipelineResult failing = start(new Fail());

    assertThatThrownBy(failing::waitUntilFinish)
        .isInstanceOf(Pipeline.PipelineExecutionException.class);
    gate.countDown();
    assertThat(survivor.waitUntilFinish()).isEqualTo(State.DONE);
  }

  @Test
  void cancellingAPipelineThatIsDoneChangesNothing() throws IOException {
    PipelineResult result = pipeline(new CountElements()).run();
    result.waitUntilFinish();

    assertThat(result.cancel()).isEqualTo(State.DONE);
  }

  private static CountDownLatch gate(String name) {
    CountDownLatch gate = new CountDownLatch(1);
    GATES.put(name, gate);
    return gate;
  }

  private static Pipeline emptyPipeline() {
    return Pipeline.create(
        PipelineOptionsFactory.fromArgs("--runner=NemoRunner", "--maxTaskAttempts=1").create());
  }

  private static Pipeline pipeline(DoFn<Integer, Integer> fn) {
    Pipeline pipeline = emptyPipeline();
    pipeline.apply(Create.of(1, 2, 3)).apply("Do", ParDo.of(fn));
    return pipeline;
  }

  /** Starts a pipeline that is not waited for. */
  private static PipelineResult start(DoFn<Integer, Integer> fn) {
    return start(pipeline(fn));
  }

  private static PipelineResult start(Pipeline pipeline) {
    pipeline.getOptions().as(NemoPipelineOptions.class).setBlockOnRun(false);
    return pipeline.run();
  }

  private static final class CountElements extends DoFn<Integer, Integer> {

    private final Counter counter = Metrics.counter(CountElements.class, "elements");
    private final Distribution distribution = Metrics.distribution(CountElements.class, "values");
    private final Gauge gauge = Metrics.gauge(CountElements.class, "last");

    @ProcessElement
    public void count(@Element Integer element) {
      counter.inc();
      distribution.update(element);
      gauge.set(element);
    }
  }

  private static final class Fail extends DoFn<Integer, Integer> {

    @ProcessElement
    public void fail(@Element Integer element) {
      throw new IllegalStateException("element " + element + " is bad");
    }
  }

  private static final class WaitAtGate extends DoFn<Integer, Integer> {

    private final String gate;

    WaitAtGate(String gate) {
      this.gate = gate;
    }

    @ProcessElement
    public void await() throws InterruptedException {
      if (!GATES.get(gate).await(DEADLINE.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException("nobody opened gate " + gate);
      }
    }
  }

  /** Counts elements, and waits at a gate with each. */
  private static final class CountAndWait extends DoFn<Integer, Integer> {

    private final Counter counter = Metrics.counter(CountAndWait.class, "elements");
    private final String gate;

    CountAndWait(String gate) {
      this.gate = gate;
    }

    @ProcessElement
    public void count() throws InterruptedException {
      counter.inc();
      GATES.get("counting").countDown();
      if (!GATES.get(gate).await(DEADLINE.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException("nobody opened gate " + gate);
      }
    }
  }

  /** Does not heed interruption. */
  private static final class WaitStubbornly extends DoFn<Integer, Integer> {

    private final String gate;

    WaitStubbornly(String gate) {
      this.gate = gate;
    }

    @ProcessElement
    public void await() {
      GATES.get("waiting").countDown();
      Uninterruptibles.awaitUninterruptibly(GATES.get(gate));
    }
  }

  /** Waits until it is interrupted, and tells when it begins to wait and when it ends. */
  private static final class WaitForEver extends DoFn<Integer, Integer> {

    @ProcessElement
    public void await() throws InterruptedException {
      GATES.get("waiting").countDown();
      try {
        new CountDownLatch(1).await();
      } finally {
        GATES.get("interrupted").countDown();
      }
    }
  }

  private static final class OpenGate extends DoFn<Integer, Integer> {

    private final String gate;

    OpenGate(String gate) {
      this.gate = gate;
    }

    @ProcessElement
    public void open() {
      GATES.get(gate).countDown();
    }
  }
}
