// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.options.NemoPipelineOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.options.FileStagingOptions;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a program brings to its job on a cluster, and what it sees of it. */
class YarnProgramIT {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final org.joda.time.Duration JOB_LIMIT = org.joda.time.Duration.standardMinutes(5);

  private static final Pattern COUNTED_LINES =
      Pattern.compile("anemone_program_counter\\{[^}]*name=\"lines\"[^}]*} [1-9]");

  private static final Pattern READ_BYTES =
      Pattern.compile("anemone_stage_bytes\\{[^}]*kind=\"read\"[^}]*stage=\"stage1\"[^}]*} [1-9]");

  @TempDir private static Path directory;
  private TestCluster cluster;

  /** Ends what earlier tests have left waiting for jobs, too. */
  @BeforeEach
  void start() throws Exception {
    cluster = TestCluster.shared();
  }

  @AfterEach
  void disarm() throws IOException {
    cluster.faults().disarm();
  }

  @Test
  @Tag("nightly")
  void whatTasksHaveCountedIsSeenWhileOthersRun() throws Exception {
    cluster.faults().arm(Fault.once(Fault.Kind.HOLD, "BEGUN").inStages("^stage0$"));
    Pipeline pipeline = Pipeline.create(cluster.options("counted", "Default"));
    pipeline
        .apply(TextIO.read().from(cluster.input()))
        .apply("Count lines", ParDo.of(new CountLinesFn()));
    PipelineResult result = pipeline.run();
    cluster.faults().awaitStrike();
    Waiting.until(() -> lines(result).attempted() > 0, LIMIT, () -> "nothing was counted");
    assertThat(result.getState()).isEqualTo(PipelineResult.State.RUNNING);
    long some = lines(result).attempted();

    cluster.faults().release();

    assertThat(result.waitUntilFinish(JOB_LIMIT)).isEqualTo(PipelineResult.State.DONE);
    assertThat(lines(result).attempted()).isGreaterThan(some).isEqualTo(lines(result).committed());
  }

  @Test
  void whatTasksCountIsSeenWhileTheyRun() throws Exception {
    cluster
        .faults()
        .arm(Fault.once(Fault.Kind.HOLD, FaultyWordCount.SPLIT).times(Integer.MAX_VALUE));
    Pipeline pipeline = Pipeline.create(cluster.options("counting", "Default"));
    pipeline
        .apply(TextIO.read().from(cluster.input()))
        .apply("Count lines", ParDo.of(new CountLinesFn()))
        .apply("Hold", ParDo.of(new FaultPointFn<>(FaultyWordCount.SPLIT)));
    PipelineResult result = pipeline.run();
    cluster.faults().awaitStrike();

    Waiting.until(
        () -> lines(result).attempted() > 0,
        LIMIT,
        () -> "nothing was counted, though tasks hold in the middle of what they read");

    assertThat(cluster.reports("stage0")).as("tasks that have succeeded").isZero();
    assertThat(lines(result).committed()).isZero();
    URI metrics = URI.create(cluster.application().getTrackingUrl()).resolve("metrics");
    Waiting.until(
        () -> COUNTED_LINES.matcher(get(metrics)).find(),
        LIMIT,
        () -> metrics + " does not have what tasks have counted");
    long some = lines(result).attempted();
    cluster.faults().release();
    assertThat(result.waitUntilFinish(JOB_LIMIT)).isEqualTo(PipelineResult.State.DONE);
    assertThat(lines(result).attempted()).isGreaterThan(some).isEqualTo(lines(result).committed());
  }

  /** Its master stands still when it is to make room for another one. */
  @Test
  @Tag("nightly")
  void anApplicationThatDoesNotEndInTimeIsLeftToItself() throws Exception {
    count("one", 1);
    ProcessHandle master = cluster.master().orElseThrow();
    assertThat(signal(master, "STOP")).isZero();
    try {
      // Other options, another application.
      count("another", 2);
    } finally {
      // Unless YARN has ended it meanwhile.
      signal(master, "CONT");
    }
  }

  private void count(String job, int stopSeconds) throws IOException {
    NemoPipelineOptions options = cluster.options(job, "Default");
    options.setClusterStopSeconds(stopSeconds);
    PipelineResult result =
        FaultyWordCount.pipeline(options, cluster.input(), cluster.output(job)).run();
    assertThat(result.waitUntilFinish(JOB_LIMIT)).isEqualTo(PipelineResult.State.DONE);
    assertThat(cluster.takeResult(job)).isEqualTo(cluster.trueCounts());
  }

  /** The exit code of {@code kill}. */
  private static int signal(ProcessHandle process, String signal) throws Exception {
    return new ProcessBuilder("kill", "-" + signal, "" + process.pid()).start().waitFor();
  }

  @Test
  @Tag("nightly")
  void whatTasksReadIsSeenWhileTheyRun() throws Exception {
    cluster
        .faults()
        .arm(Fault.once(Fault.Kind.HOLD, FaultyWordCount.COUNT).times(Integer.MAX_VALUE));
    PipelineResult result =
        FaultyWordCount.pipeline(
                cluster.options("reading", "Default"), cluster.input(), cluster.output("reading"))
            .run();
    cluster.faults().awaitStrike();
    URI metrics = URI.create(cluster.application().getTrackingUrl()).resolve("metrics");

    Waiting.until(
        () -> READ_BYTES.matcher(get(metrics)).find(),
        LIMIT,
        () -> metrics + " does not have what tasks have read");
    assertThat(get(metrics))
        .as("memory in use, as containers tell it")
        .containsPattern(
            "anemone_executor_used_bytes\\{executor=\"container_.*kind=\"heap\".*} [1-9]");

    assertThat(cluster.reports("stage1")).as("tasks that have succeeded").isZero();
    cluster.faults().release();
    assertThat(result.waitUntilFinish(JOB_LIMIT)).isEqualTo(PipelineResult.State.DONE);
    assertThat(cluster.takeResult("reading")).isEqualTo(cluster.trueCounts());
  }

  private static String get(URI address) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(20)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  /** A counter's values. */
  private record Counted(long attempted, long committed) {}

  private static Counted lines(PipelineResult result) {
    MetricsFilter filter =
        MetricsFilter.builder()
            .addNameFilter(MetricNameFilter.named(CountLinesFn.class, CountLinesFn.LINES))
            .build();
    return StreamSupport.stream(
            result.metrics().queryMetrics(filter).getCounters().spliterator(), false)
        .map(counter -> new Counted(counter.getAttempted(), committed(counter)))
        .findFirst()
        .orElse(new Counted(0, 0));
  }

  private static long committed(MetricResult<Long> counter) {
    Long committed = counter.getCommittedOrNull();
    return committed == null ? 0 : committed;
  }

  private static final class CountLinesFn extends DoFn<String, String> {
    private static final long serialVersionUID = 1;

    static final String LINES = "lines";

    private final Counter lines = Metrics.counter(CountLinesFn.class, LINES);

    @ProcessElement
    public void processElement(@Element String line, OutputReceiver<String> output) {
      lines.inc();
      output.output(line);
    }
  }

  @Test
  void aJarThatIsStagedIsOnTheClassPathOfTasks() throws Exception {
    Path jar = jar("staged.Greeting");
    NemoPipelineOptions options = cluster.options("staged", "Default");
    options.as(FileStagingOptions.class).setFilesToStage(List.of(jar.toString()));
    Pipeline pipeline = Pipeline.create(options);
    pipeline
        .apply(Create.of("staged.Greeting"))
        .apply("Call", ParDo.of(new CallFn()))
        .apply(TextIO.write().to(cluster.output("staged")));

    assertThat(pipeline.run().waitUntilFinish(JOB_LIMIT)).isEqualTo(PipelineResult.State.DONE);

    assertThat(cluster.takeResult("staged")).containsExactly("from " + jar.getFileName());
  }

  @Test
  void aQueueThatTheClusterDoesNotHaveIsNamedWithThoseThatItHas() {
    NemoPipelineOptions options = cluster.options("unqueued", "Default");
    options.setQueue("nosuch");
    Pipeline pipeline = Pipeline.create(options);
    pipeline.apply(Create.of(1, 2, 3));

    assertThatThrownBy(() -> pipeline.run().waitUntilFinish(JOB_LIMIT))
        .hasMessageContainingAll("nosuch", "the cluster has ", "default");
  }

  /** Calls a method of a class that this JVM does not have. */
  private static final class CallFn extends DoFn<String, String> {
    private static final long serialVersionUID = 1;

    @ProcessElement
    public void processElement(@Element String className, OutputReceiver<String> output)
        throws ReflectiveOperationException {
      Class<?> type =
          Class.forName(className, true, Thread.currentThread().getContextClassLoader());
      output.output((String) type.getMethod("greet").invoke(null));
    }
  }

  /** A jar with a class that is nowhere else. */
  private static Path jar(String className) throws Exception {
    Path sources = Files.createDirectories(directory.resolve("sources"));
    String simpleName = className.substring(className.lastIndexOf('.') + 1);
    String packageName = className.substring(0, className.lastIndexOf('.'));
    Path jar = directory.resolve("greeting.jar");
    Path source =
        Files.writeString(
            sources.resolve(simpleName + ".java"),
            "package "
                + packageName
                + ";\npublic class "
                + simpleName
                + " {\n  public static String greet() {\n    return \"from "
                + jar.getFileName()
                + "\";\n  }\n}\n");
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    Path classes = Files.createDirectories(directory.resolve("classes"));
    assertThat(compiler.run(null, null, null, "-d", classes.toString(), source.toString()))
        .isZero();
    String entry = className.replace('.', '/') + ".class";
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream written = new JarOutputStream(out)) {
      written.putNextEntry(new JarEntry(entry));
      Files.copy(classes.resolve(entry), written);
      written.closeEntry();
    }
    return jar;
  }
}
