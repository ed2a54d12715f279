// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.anemone.beam.options.NemoPipelineOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.StreamSupport;
import org.apache.beam.sdk.PipelineResult;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The address that YARN has for an application leads to the page of its jobs. */
class YarnPageIT {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final org.joda.time.Duration JOB_LIMIT = org.joda.time.Duration.standardMinutes(3);

  private static final String OTHER_MACHINE = "127.0.0.99";

  private static final HttpClient BROWSER =
      HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();

  private static TestCluster cluster;
  private PipelineResult job;

  @BeforeAll
  static void start() throws Exception {
    cluster = TestCluster.shared();
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    cluster.faults().disarm();
    if (job != null && !job.getState().isTerminal()) {
      job.cancel();
    }
  }

  private static HttpResponse<String> get(URI address) throws Exception {
    return BROWSER.send(
        HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(20)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** What the page's script asks for, and how often it has to: the page comes after the job. */
  private static JsonNode awaitRunning(URI jobs, String name, String stage) throws Exception {
    ObjectMapper json = new ObjectMapper();
    JsonNode[] found = new JsonNode[1];
    Waiting.until(
        () -> {
          HttpResponse<String> list = get(jobs.resolve("api/jobs"));
          if (!list.headers().firstValue("Content-Type").orElse("").contains("json")) {
            return false;
          }
          for (JsonNode each : json.readTree(list.body())) {
            if (each.path("name").asText().equals(name)) {
              found[0] =
                  json.readTree(get(jobs.resolve("api/jobs/" + each.path("id").asText())).body());
              return running(found[0], stage) > 0;
            }
          }
          return false;
        },
        LIMIT,
        () -> "the page does not show a running task of " + name + ", but " + found[0]);
    return found[0];
  }

  private static int running(JsonNode head, String stage) {
    return StreamSupport.stream(head.path("counts").spliterator(), false)
        .filter(each -> each.path("stage").asText().equals(stage))
        .mapToInt(each -> each.path("running").asInt())
        .sum();
  }

  /** What somebody gets who is not the proxy: each address of this machine is one of its own. */
  private static String fromAnotherMachine(URI master) throws IOException {
    try (Socket socket =
        new Socket(master.getHost(), master.getPort(), InetAddress.getByName(OTHER_MACHINE), 0)) {
      socket
          .getOutputStream()
          .write(
              ("GET / HTTP/1.1\r\nHost: " + master.getAuthority() + "\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void itShowsTheTasksThatRunAndLaterWhatHasBecomeOfTheJob() throws Exception {
    cluster.faults().arm(Fault.once(Fault.Kind.HOLD, FaultyWordCount.COUNT));
    NemoPipelineOptions options = cluster.options("page", "Default");
    options.setDetached(true);
    options.setDeadlineMinutes(5);
    options.setEventLog(cluster.path("/page-logs"));
    job = FaultyWordCount.pipeline(options, cluster.input(), cluster.output("page")).run();
    cluster.faults().awaitStrike();
    ApplicationReport application = cluster.application();
    URI tracking = URI.create(application.getTrackingUrl());
    assertThat(tracking.getPath()).isEqualTo("/proxy/" + application.getApplicationId() + "/");

    JsonNode head = awaitRunning(tracking, "page", "stage1");

    String id = head.path("summary").path("id").asText();
    assertThat(head.path("summary").path("state").asText()).isEqualTo("RUNNING");
    assertThat(head.path("executors")).isNotEmpty();
    assertThat(get(tracking).body()).contains("url=jobs/" + id + "\"");
    URI page = tracking.resolve("jobs/" + id);
    assertThat(get(page).body()).contains("src=\"../assets/main.js\"");
    assertThat(get(page.resolve("../assets/main.js")).body()).contains("import ");
    assertThat(get(page.resolve("../api/jobs/" + id + "/plans")).body()).contains("\"pass\"");
    assertThat(get(page.resolve("../api/jobs/" + id + "/tasks")).body())
        .contains("[\"stage0\",0,0,\"container_");
    assertThat(get(tracking.resolve("metrics")).body())
        .contains("anemone_tasks{job=\"" + id + "\",kind=\"running\",stage=\"stage1\"");

    // Whoever is not the proxy is told where it is.
    assertThat(
            fromAnotherMachine(
                URI.create(
                    cluster.report(application.getApplicationId()).getOriginalTrackingUrl())))
        .startsWith("HTTP/1.1 403")
        .contains(tracking.toString());

    cluster.faults().release();
    assertThat(job.waitUntilFinish(JOB_LIMIT)).isEqualTo(PipelineResult.State.DONE);
    assertThat(cluster.takeResult("page")).isEqualTo(cluster.trueCounts());
    Waiting.until(
        () ->
            cluster.report(application.getApplicationId()).getYarnApplicationState()
                == YarnApplicationState.FINISHED,
        LIMIT,
        () -> "the application does not end");
    assertThat(get(tracking).body())
        .contains("page " + id + ": SUCCEEDED", "anemone ui --logs=" + cluster.path("/page-logs"));
  }
}
