// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.testing.Requirement;
import dev.anemone.ui.server.LogDirectory;
import dev.anemone.ui.server.UiException;
import dev.anemone.ui.server.UiServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whom the server answers, and what. */
class UiServerTest {

  @TempDir Path temporary;

  private static SampleJobs jobs;
  private static UiServer server;

  @BeforeAll
  static void start() {
    jobs = new SampleJobs();
    jobs.add(SampleJob.model("one", SampleJob.succeeded("one", "Default", 1, 4)));
    jobs.add(SampleJob.model("two", SampleJob.failed("two")));
    server = UiServer.start("127.0.0.1", 0, jobs);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void everyAnswerHasAStrictPolicy() throws Exception {
    for (String path : new String[] {"jobs", "jobs/one", "api/jobs/one", "assets/main.js", "no"}) {
      HttpResponse<String> answer = get(server, path);
      assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
          .as(path)
          .startsWith("default-src 'none'; script-src 'self'; style-src 'self';")
          .doesNotContain("unsafe");
      assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    }
    assertThat(get(server, "no").statusCode()).isEqualTo(404);
    assertThat(get(server, "assets/../job.html").statusCode()).isEqualTo(404);
  }

  @Test
  void aHostThatIsNotThisOneIsRefused() throws Exception {
    assertThat(raw(server, "GET /api/jobs HTTP/1.1\r\nHost: evil.example:4040\r\n"))
        .startsWith("HTTP/1.1 421");
    assertThat(raw(server, "GET /api/jobs HTTP/1.1\r\nHost: localhost:1\r\n"))
        .startsWith("HTTP/1.1 200");
    assertThat(raw(server, "POST /api/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n"))
        .startsWith("HTTP/1.1 405");
  }

  @Test
  void whatHasNotChangedIsNotSentAgain() throws Exception {
    HttpResponse<String> first = get(server, "api/jobs/one");
    String tag = first.headers().firstValue("ETag").orElseThrow();
    HttpRequest again =
        HttpRequest.newBuilder(URI.create(server.address() + "api/jobs/one"))
            .header("If-None-Match", tag)
            .build();
    HttpClient client = HttpClient.newHttpClient();
    assertThat(client.send(again, HttpResponse.BodyHandlers.ofString()).statusCode())
        .isEqualTo(304);
    jobs.job("one").orElseThrow().remark("something new");
    assertThat(client.send(again, HttpResponse.BodyHandlers.ofString()).statusCode())
        .isEqualTo(200);
  }

  @Test
  void withoutJavaScriptThereAreTables() throws Exception {
    assertThat(get(server, "jobs").body()).contains("<a href=\"jobs/one\">");
    assertThat(get(server, "jobs/two").body())
        .contains("<noscript>")
        .contains("&lt;script&gt;alert(1)&lt;/script&gt;")
        .contains("com.example.Clicks$RatioFn.processElement")
        .doesNotContain("<script>alert");
  }

  @Test
  void moreThanThisMachineNeedsTheToken() throws Exception {
    String host = InetAddress.getLocalHost().getHostAddress();
    try (UiServer open = UiServer.start("0.0.0.0", 0, jobs)) {
      String plain = "http://127.0.0.1:" + open.port() + "/jobs";
      assertThat(open.address()).contains("?token=");
      assertThat(status(plain)).isEqualTo(401);
      assertThat(status(plain + "?token=guess")).isEqualTo(401);
      String token = open.address().substring(open.address().indexOf('?'));
      HttpResponse<String> entered =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create(plain + token)).build(),
                  HttpResponse.BodyHandlers.ofString());
      assertThat(entered.statusCode()).isEqualTo(303);
      assertThat(entered.headers().firstValue("Location")).contains("/jobs");
      String cookie = entered.headers().firstValue("Set-Cookie").orElseThrow();
      assertThat(cookie).containsIgnoringCase("HttpOnly").contains("SameSite=Strict");
      assertThat(
              raw(
                  open,
                  "GET /api/jobs HTTP/1.1\r\nHost: "
                      + host
                      + "\r\nCookie: "
                      + cookie.substring(0, cookie.indexOf(';'))
                      + "\r\n"))
          .startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void aPortThatIsTakenGivesTheNextOne() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        UiServer next = UiServer.start("127.0.0.1", taken.getLocalPort(), jobs)) {
      assertThat(next.port()).isGreaterThan(taken.getLocalPort());
    }
  }

  @Test
  void aHostOfSomebodyElseIsOneClearError() {
    assertThatThrownBy(() -> UiServer.start("192.0.2.1", 0, jobs))
        .isInstanceOf(UiException.class)
        .hasMessageContaining("--uiHost=192.0.2.1");
  }

  @Test
  void logsOfADirectoryAreJobs() throws Exception {
    FileSystems.setDefaultPipelineOptions(PipelineOptionsFactory.create());
    Files.writeString(
        temporary.resolve("job_1.jsonl"),
        SampleJob.log(SampleJob.succeeded("job_1", "Default", 1, 4)));
    Files.writeString(
        temporary.resolve("job_2.jsonl.inprogress"),
        SampleJob.log(SampleJob.running("job_2", "Default", 1, 4)));
    Files.writeString(temporary.resolve("notes.txt"), "no log");
    LogDirectory directory = new LogDirectory(temporary.toString());
    assertThat(directory.list()).extracting("id").containsExactlyInAnyOrder("job_1", "job_2");
    assertThat(directory.job("job_2").orElseThrow().head().remarks())
        .anySatisfy(text -> assertThat(text).contains("does not say how the job ended"));
    assertThat(directory.job("job_1").orElseThrow().head().remarks()).isEmpty();
    assertThat(directory.job("notes")).isEmpty();
  }

  @Test
  void ofADirectoryWithLogsThatCannotBeReadTheOthersAreShownAndThatIsSaid() throws Exception {
    FileSystems.setDefaultPipelineOptions(PipelineOptionsFactory.create());
    String whole = SampleJob.log(SampleJob.succeeded("job_1", "Default", 1, 4));
    Files.writeString(temporary.resolve("job_1.jsonl"), whole);
    Files.writeString(
        temporary.resolve("job_2.jsonl.inprogress"), whole.substring(0, whole.length() * 2 / 3));
    Path gone = Files.writeString(temporary.resolve("job_3.jsonl"), whole);
    LogDirectory directory = new LogDirectory(temporary.toString());
    assertThat(directory.list()).hasSize(3);
    Files.delete(gone);
    Files.createDirectory(gone);
    Files.writeString(gone.resolve("in it"), "");
    Files.createSymbolicLink(temporary.resolve("job_4.jsonl"), gone);

    try (UiServer logs = UiServer.start("127.0.0.1", 0, directory)) {
      String list = get(logs, "jobs").body();
      assertThat(list)
          .contains("<a href=\"jobs/job_1\">", "<a href=\"jobs/job_2\">", "unfinished")
          .doesNotContain("<a href=\"jobs/job_3\">");
      assertThat(get(logs, "jobs/job_2").body())
          .contains("A line of the log could not be read, and is left out.")
          .contains("does not say how the job ended");
      assertThat(get(logs, "jobs/job_3").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void aLogWhoseDiskGivesErrorsIsNamedAboveTheOthers() throws Exception {
    Path broken = Path.of("/proc/self/mem");
    Requirement.LINUX.check(Files.exists(broken), "a file that can be opened and not be read");
    FileSystems.setDefaultPipelineOptions(PipelineOptionsFactory.create());
    String whole = SampleJob.log(SampleJob.succeeded("job_1", "Default", 1, 4));
    Files.writeString(temporary.resolve("job_1.jsonl"), whole);
    Files.createSymbolicLink(temporary.resolve("job_2.jsonl"), broken);

    try (UiServer logs = UiServer.start("127.0.0.1", 0, new LogDirectory(temporary.toString()))) {
      assertThat(get(logs, "jobs").body())
          .contains("<a href=\"jobs/job_1\">", "job_2.jsonl cannot be read: ")
          .doesNotContain("<a href=\"jobs/job_2\">");
      HttpResponse<String> page = get(logs, "jobs/job_2");
      assertThat(page.statusCode()).isEqualTo(500);
      assertThat(page.body()).contains("What is known of this job cannot be read: ");
      assertThat(get(logs, "jobs/job_1").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void aDirectoryThatGoesAwayIsSaid() throws Exception {
    FileSystems.setDefaultPipelineOptions(PipelineOptionsFactory.create());
    Path directory = Files.createDirectory(temporary.resolve("logs"));
    Path log =
        Files.writeString(
            directory.resolve("job_1.jsonl"),
            SampleJob.log(SampleJob.succeeded("job_1", "Default", 1, 4)));

    try (UiServer logs = UiServer.start("127.0.0.1", 0, new LogDirectory(directory.toString()))) {
      assertThat(get(logs, "jobs").body()).contains("<a href=\"jobs/job_1\">");
      Files.delete(log);
      Files.delete(directory);
      assertThat(get(logs, "jobs").body()).contains(directory + "/ cannot be read any more");
    }
  }

  @Test
  void aDirectoryThatIsNotThereIsOneClearError() {
    FileSystems.setDefaultPipelineOptions(PipelineOptionsFactory.create());
    assertThatThrownBy(() -> new LogDirectory("nosuch://logs"))
        .isInstanceOf(UiException.class)
        .hasMessageContaining("--logs=nosuch://logs");
    assertThatThrownBy(() -> new LogDirectory(temporary.resolve("not there").toString()))
        .isInstanceOf(UiException.class)
        .hasMessageContaining("not there");
  }

  private static HttpResponse<String> get(UiServer server, String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(server.address() + path)).build(),
            HttpResponse.BodyHandlers.ofString());
  }

  private static int status(String address) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(address)).build(),
            HttpResponse.BodyHandlers.ofString())
        .statusCode();
  }

  /** What the server answers to a request that a client of HTTP would not send. */
  private static String raw(UiServer server, String head) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      OutputStream out = socket.getOutputStream();
      out.write((head + "Connection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      out.flush();
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
