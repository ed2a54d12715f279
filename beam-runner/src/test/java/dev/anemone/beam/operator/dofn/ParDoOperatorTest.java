// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.dofn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.anemone.beam.harness.InMemoryTask;
import dev.anemone.beam.harness.Steps;
import dev.anemone.beam.metrics.MetricsReports;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.runtime.spi.ElementOperator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ParDoOperatorTest {

  private static final TupleTag<String> MAIN = new TupleTag<>("main-tag");
  private static final TupleTag<Integer> LENGTHS = new TupleTag<>("lengths");
  private static final Duration ONE_SECOND = Duration.standardSeconds(1);
  private static final Instant NOON = Instant.parse("2024-01-01T12:00:00Z");
  private static final IntervalWindow FIRST = new IntervalWindow(NOON, Duration.standardMinutes(1));
  private static final IntervalWindow SECOND =
      new IntervalWindow(NOON.minus(Duration.standardSeconds(30)), Duration.standardMinutes(1));

  /** What happened to the functions under test; they are copied, so it cannot be a field. */
  private static final List<String> EVENTS = new CopyOnWriteArrayList<>();

  @BeforeEach
  void forgetEvents() {
    EVENTS.clear();
  }

  @Test
  void outputKeepsTimestampWindowsAndPane() throws Exception {
    WindowedValue<String> element =
        WindowedValues.of("a", NOON, FIRST, PaneInfo.ON_TIME_AND_ONLY_FIRING);

    assertThat(run(new Upper(), element)).containsExactly(element.withValue("A"));
  }

  private static class Upper extends DoFn<String, String> {
    @ProcessElement
    public void process(@Element String element, OutputReceiver<String> output) {
      output.output(element.toUpperCase(Locale.ROOT));
    }
  }

  @Test
  void contextAndParametersSeeTheSameElement() throws Exception {
    WindowedValue<String> element =
        WindowedValues.of("a", NOON, FIRST, PaneInfo.ON_TIME_AND_ONLY_FIRING);

    List<WindowedValue<Object>> outputs = run(new Describe(), element);

    String description = "a " + NOON + " " + FIRST + " " + PaneInfo.ON_TIME_AND_ONLY_FIRING;
    assertThat(outputs)
        .extracting(WindowedValue::getValue)
        .containsExactly(description, description);
  }

  private static class Describe extends DoFn<String, String> {
    @ProcessElement
    public void process(
        ProcessContext context,
        @Element String element,
        @Timestamp Instant timestamp,
        BoundedWindow window,
        PaneInfo pane,
        OutputReceiver<String> output) {
      output.output(element + " " + timestamp + " " + window + " " + pane);
      context.output(
          context.element() + " " + context.timestamp() + " " + window + " " + context.pane());
    }
  }

  @Test
  void functionThatLooksAtTheWindowIsCalledForEachOne() throws Exception {
    WindowedValue<String> element =
        WindowedValues.of("a", NOON, List.of(FIRST, SECOND), PaneInfo.NO_FIRING);

    assertThat(run(new Describe(), element)).hasSize(4);
    assertThat(run(new Upper(), element)).containsExactly(element.withValue("A"));
  }

  @Test
  void everyOutputGoesToItsReceiver() throws Exception {
    InMemoryTask task =
        new InMemoryTask(
            Steps.parDo("Split", new SplitOutputs(), MAIN, List.of(LENGTHS), Map.of()));

    assertThat(values(task.run(plain("one", "three")))).containsExactly("one", "three");
    assertThat(values(task.output("lengths", 0))).containsExactly(3, 5);
  }

  private static class SplitOutputs extends DoFn<String, String> {
    @ProcessElement
    public void process(@Element String element, MultiOutputReceiver outputs) {
      outputs.get(MAIN).output(element);
      outputs.get(LENGTHS).output(element.length());
    }
  }

  @Test
  void undeclaredOutputIsRefusedByName() {
    assertThatThrownBy(() -> run(new SplitOutputs(), plain("one").get(0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lengths");
  }

  @Test
  void outputBeforeTheAllowedSkewIsRefused() throws Exception {
    for (Way way : Way.values()) {
      assertThatThrownBy(() -> shift(ONE_SECOND, Duration.ZERO, way))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("Cannot output with timestamp 2024-01-01T11:59:59.000Z")
          .hasMessageContaining("allowed skew (0 milliseconds)");
      assertThat(shift(ONE_SECOND, ONE_SECOND, way)).containsExactly(NOON.minus(ONE_SECOND));
      assertThat(shift(Duration.ZERO, Duration.millis(Long.MAX_VALUE), way)).containsExactly(NOON);
    }
  }

  private static List<Instant> shift(Duration back, Duration skew, Way way) throws Exception {
    WindowedValue<String> element = WindowedValues.timestampedValueInGlobalWindow("a", NOON);
    return run(new Shift(back, skew, way), element).stream()
        .map(WindowedValue::getTimestamp)
        .toList();
  }

  /** The ways to output with a timestamp. */
  private enum Way {
    RECEIVER,
    BUILDER,
    CONTEXT,
    WINDOWED
  }

  private static class Shift extends DoFn<String, String> {
    private final Duration back;
    private final Duration skew;
    private final Way way;

    Shift(Duration back, Duration skew, Way way) {
      this.back = back;
      this.skew = skew;
      this.way = way;
    }

    @ProcessElement
    public void process(ProcessContext context, OutputReceiver<String> output) {
      String element = context.element();
      Instant shifted = context.timestamp().minus(back);
      switch (way) {
        case RECEIVER -> output.outputWithTimestamp(element, shifted);
        case BUILDER -> output.builder(element).setTimestamp(shifted).output();
        case CONTEXT -> context.outputWithTimestamp(element, shifted);
        case WINDOWED ->
            output.outputWindowedValue(
                element, shifted, List.of(GlobalWindow.INSTANCE), context.pane());
      }
    }

    @Override
    @SuppressWarnings("deprecation") // what users should not do any more must still work
    public Duration getAllowedTimestampSkew() {
      return skew;
    }
  }

  @Test
  void lifecycleMethodsAreCalledInOrder() throws Exception {
    List<WindowedValue<Object>> outputs = run(new Lifecycle(""), plain("a").get(0));

    assertThat(EVENTS).containsExactly("setup", "start", "process", "finish", "teardown");
    assertThat(values(outputs)).containsExactly("at the end");
  }

  @Test
  void teardownIsCalledWhateverFails() {
    for (String failing : List.of("setup", "start", "process", "finish")) {
      EVENTS.clear();

      assertThatThrownBy(() -> run(new Lifecycle(failing), plain("a").get(0)))
          .isInstanceOf(IOException.class)
          .hasMessage("failure in " + failing);
      assertThat(EVENTS).endsWith("teardown").containsOnlyOnce("teardown");
    }
  }

  @SuppressWarnings("unused") // Beam finds the methods by their annotations
  private static class Lifecycle extends DoFn<String, String> {
    private final String failing;

    Lifecycle(String failing) {
      this.failing = failing;
    }

    private void step(String name) throws IOException {
      EVENTS.add(name);
      if (name.equals(failing)) {
        throw new IOException("failure in " + name);
      }
    }

    @Setup
    public void setup() throws IOException {
      step("setup");
    }

    @StartBundle
    public void start() throws IOException {
      step("start");
    }

    @ProcessElement
    public void process() throws IOException {
      step("process");
    }

    @FinishBundle
    public void finish(FinishBundleContext context) throws IOException {
      step("finish");
      context.output("at the end", NOON, GlobalWindow.INSTANCE);
    }

    @Teardown
    public void teardown() throws IOException {
      step("teardown");
    }
  }

  @Test
  void failureOfAFusedStepSurfacesAsTheUsersException() throws Exception {
    InMemoryTask second = new InMemoryTask(Steps.parDo("Second", new Lifecycle("process")));
    ElementOperator consumer = (ElementOperator) second.operator();
    consumer.open(second);
    InMemoryTask first =
        new InMemoryTask(Steps.parDo("First", new Upper())).withReceiver(IREdge.MAIN, consumer);

    assertThatThrownBy(() -> first.run(plain("a")))
        .isInstanceOf(IOException.class)
        .hasMessage("failure in process");
    consumer.close();
  }

  @Test
  void countersGoToTheStepThatCounts() throws Exception {
    InMemoryTask second = new InMemoryTask(Steps.parDo("Second", new Counting()));
    ElementOperator consumer = (ElementOperator) second.operator();
    consumer.open(second);
    InMemoryTask first =
        new InMemoryTask(Steps.parDo("First", new Counting())).withReceiver(IREdge.MAIN, consumer);
    first.run(plain("a", "b"));
    consumer.finish();
    consumer.close();

    List<byte[]> reports = new ArrayList<>(first.reports());
    reports.addAll(second.reports());
    var results = MetricsReports.toResults(MetricsReports.merge(reports));

    assertThat(results.queryMetrics(MetricsFilter.builder().build()).getCounters())
        .extracting(counter -> counter.getKey().stepName(), MetricResult::getAttempted)
        .containsExactlyInAnyOrder(tuple("First", 4L), tuple("Second", 8L));
  }

  private static class Counting extends DoFn<String, String> {
    private final Counter calls = Metrics.counter("test", "calls");

    @ProcessElement
    public void process(@Element String element, OutputReceiver<String> output) {
      calls.inc();
      output.output(element);
      output.output(element);
      calls.inc();
    }
  }

  @Test
  void stepThatCountsNothingReportsNothing() throws Exception {
    InMemoryTask task = new InMemoryTask(Steps.parDo("Upper", new Upper()));
    task.run(plain("a"));

    assertThat(task.reports()).isEmpty();
  }

  @Test
  void pipelineOptionsReachTheFunction() throws Exception {
    PipelineOptions options = PipelineOptionsFactory.create();
    options.setJobName("counting");

    assertThat(
            values(
                new InMemoryTask(Steps.parDo("Name", new JobName()))
                    .withOptions(options)
                    .run(plain("a"))))
        .containsExactly("counting");
  }

  private static class JobName extends DoFn<String, String> {
    @ProcessElement
    public void process(PipelineOptions options, OutputReceiver<String> output) {
      output.output(options.getJobName());
    }
  }

  @Test
  void aBundleIsFinalizedAfterTheCommitOfItsTask() throws Exception {
    InMemoryTask task = new InMemoryTask(Steps.parDo("Step", new Finalizing()));
    task.run(plain("a"));

    assertThat(EVENTS).containsExactly("process", "finish");
    task.commit();
    assertThat(EVENTS).containsExactly("process", "finish", "finalized");
  }

  private static class Finalizing extends DoFn<String, String> {
    @ProcessElement
    public void process(BundleFinalizer finalizer) {
      EVENTS.add("process");
      finalizer.afterBundleCommit(
          Instant.now().plus(Duration.standardMinutes(1)), () -> EVENTS.add("finalized"));
      finalizer.afterBundleCommit(Instant.now(), () -> EVENTS.add("finalized too late"));
    }

    @FinishBundle
    public void finish() {
      EVENTS.add("finish");
    }
  }

  private static List<WindowedValue<Object>> run(
      DoFn<String, String> doFn, WindowedValue<String> element) throws Exception {
    FunctionSpec spec = Steps.parDo("Step", doFn);
    return new InMemoryTask(spec).run(List.of(element));
  }

  private static List<WindowedValue<String>> plain(String... values) {
    return Stream.of(values).map(WindowedValues::valueInGlobalWindow).toList();
  }

  private static List<Object> values(List<WindowedValue<Object>> elements) {
    return elements.stream().map(WindowedValue::getValue).toList();
  }
}
