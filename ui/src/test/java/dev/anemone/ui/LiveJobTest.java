// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.NemoRunner;
import dev.anemone.beam.options.NemoPipelineOptions;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.io.GenerateSequence;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Distribution;
import org.apache.beam.sdk.metrics.Gauge;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages and reports of pipelines that NemoRunner runs. */
@Tag("slow")
class LiveJobTest {

  private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:\\d+/");
  private static CountDownLatch leave;

  @TempDir Path temporary;

  private final PrintStream err = System.err;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  @BeforeEach
  void listen() {
    leave = new CountDownLatch(1);
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void stopListening() {
    System.setErr(err);
  }

  @Test
  void aJobHasAPageWhileItRunsAndAReportAfterwards() throws Exception {
    Path report = temporary.resolve("job.html");
    int port = freePort();
    NemoPipelineOptions options = options("--ui=" + port, "--report=" + report);
    options.setBlockOnRun(false);
    PipelineResult result = pipeline(options, new WaitingFn()).run();
    String address = address();
    String list = await(address + "api/jobs", "RUNNING");
    String id = list.substring(list.indexOf("\"id\":\"") + 6, list.indexOf("\",", 8));
    await(address + "api/jobs/" + id, "\"stages\":[");
    String running = await(address + "metrics", "kind=\"running\"");
    assertThat(running)
        .contains("jvm_memory_used_bytes", "# TYPE anemone_tasks gauge", "job=\"" + id + "\"")
        .containsPattern("anemone_executor_memory_bytes\\{executor=\"local\",job=\".*\"} [1-9]");
    await(address + "metrics", "anemone_executor_used_bytes");
    // No task has succeeded.
    assertThat(await(address + "metrics", "name=\"seen\""))
        .containsPattern("anemone_program_counter\\{.*name=\"seen\".*} [1-9]")
        .containsPattern(
            "anemone_program_distribution\\{.*kind=\"count\".*name=\"numbers\".*} [1-9]")
        .containsPattern("anemone_program_gauge\\{.*name=\"last\".*} ");
    leave.countDown();
    assertThat(result.waitUntilFinish()).isEqualTo(PipelineResult.State.DONE);
    await(address + "api/jobs/" + id, "SUCCEEDED");
    assertThat(await(address + "api/jobs/" + id + "/tasks", "[[")).contains("\"S\"");
    assertThat(await(address + "metrics", "anemone_edge_bytes"))
        .containsPattern("anemone_tasks\\{.*kind=\"succeeded\".*} [1-9]")
        .containsPattern("anemone_edge_bytes\\{edge=\".*\",job=\".*\",kind=\"raw\"} [1-9]")
        .containsPattern("anemone_edge_bytes\\{.*kind=\"pool-written\"} 0")
        .containsPattern("anemone_edge_bytes\\{.*kind=\"pool-read\"} 0")
        .containsPattern("anemone_edge_bytes\\{.*kind=\"overflowed\"} 0");
    assertThat(report).content().contains("Content-Security-Policy", "\"state\":\"SUCCEEDED\"");
    assertThat(printed.toString(StandardCharsets.UTF_8)).contains(report.toString());
  }

  @Test
  void theReportOfAFailedJobHasItsException() throws Exception {
    Path report = temporary.resolve("failed.html");
    NemoPipelineOptions options = options("--report=" + report, "--maxTaskAttempts=1");
    assertThatThrownBy(() -> pipeline(options, new FailingFn()).run())
        .hasMessageContaining("no such click");
    assertThat(report).content().contains("\"state\":\"FAILED\"", "FailingFn.processElement");
    pipeline(options("--report=" + report), new QuickFn()).run();
    assertThat(temporary.resolve("failed-2.html")).isRegularFile();
  }

  @Test
  void withoutATerminalThereIsNoPage() {
    pipeline(options(), new QuickFn()).run();
    assertThat(printed.toString(StandardCharsets.UTF_8)).doesNotContain("page");
  }

  @Test
  void wrongOptionsAreOneClearErrorBeforeTheJobRuns() {
    assertThatThrownBy(() -> pipeline(options("--ui=on"), new QuickFn()).run())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--ui=on is not known. Use auto, off, or a port");
    assertThatThrownBy(() -> pipeline(options("--report=/nowhere/job.html"), new QuickFn()).run())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--report=/nowhere/job.html cannot be written");
  }

  private NemoPipelineOptions options(String... more) {
    NemoPipelineOptions options =
        PipelineOptionsFactory.fromArgs(more).as(NemoPipelineOptions.class);
    options.setRunner(NemoRunner.class);
    options.setTempDirectory(temporary.toString());
    options.setSlots(2);
    return options;
  }

  private static Pipeline pipeline(NemoPipelineOptions options, DoFn<Long, Long> fn) {
    Pipeline pipeline = Pipeline.create(options);
    pipeline
        .apply("Numbers", GenerateSequence.from(0).to(100))
        .apply("Work", ParDo.of(fn))
        .apply("Count", Count.perElement());
    return pipeline;
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private String address() {
    Matcher matcher = ADDRESS.matcher(printed.toString(StandardCharsets.UTF_8));
    assertThat(matcher.find()).as(printed.toString(StandardCharsets.UTF_8)).isTrue();
    return matcher.group();
  }

  /** Asks until the answer has that text. */
  private static String await(String address, String text) throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest request = HttpRequest.newBuilder(URI.create(address)).build();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    String answer = "";
    while (System.nanoTime() < deadline) {
      answer = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
      if (answer.contains(text)) {
        return answer;
      }
    }
    throw new AssertionError(address + " has no " + text + " but " + answer);
  }

  private static final class QuickFn extends DoFn<Long, Long> {
    private static final long serialVersionUID = 1;

    @ProcessElement
    public void processElement(@Element Long number, OutputReceiver<Long> out) {
      out.output(number % 10);
    }
  }

  private static final class WaitingFn extends DoFn<Long, Long> {
    private static final long serialVersionUID = 1;
    private final Counter seen = Metrics.counter("test", "seen");
    private final Distribution numbers = Metrics.distribution("test", "numbers");
    private final Gauge last = Metrics.gauge("test", "last");

    @ProcessElement
    public void processElement(@Element Long number, OutputReceiver<Long> out)
        throws InterruptedException {
      seen.inc();
      numbers.update(number);
      last.set(number);
      if (!leave.await(60, TimeUnit.SECONDS)) {
        throw new AssertionError("nobody let this go on");
      }
      out.output(number % 10);
    }
  }

  private static final class FailingFn extends DoFn<Long, Long> {
    private static final long serialVersionUID = 1;

    @ProcessElement
    public void processElement(@Element Long number, OutputReceiver<Long> out) {
      if (number >= 0) {
        throw new IllegalStateException("no such click");
      }
      out.output(number);
    }
  }
}
