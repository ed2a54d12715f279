// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.MetricQueryResults;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.metrics.MetricsOptions;
import org.apache.beam.sdk.metrics.MetricsSink;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A sink posts metrics to a server: attempted values while the job runs, committed at its end. */
class MetricsOverHttpTest {

  private static CountDownLatch leave;

  private final BlockingQueue<JsonNode> posted = new LinkedBlockingQueue<>();
  private HttpServer server;

  @BeforeEach
  void listen() throws IOException {
    leave = new CountDownLatch(1);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::take);
    server.start();
  }

  @AfterEach
  void stop() {
    leave.countDown();
    server.stop(0);
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      posted.add(new ObjectMapper().readTree(exchange.getRequestBody()));
      exchange.sendResponseHeaders(200, -1);
    }
  }

  @Test
  void getsAttemptedValuesWhileTheJobRunsAndCommittedOnesAtItsEnd() throws Exception {
    MetricsOptions options =
        PipelineOptionsFactory.fromArgs("--runner=NemoRunner", "--blockOnRun=false", "--slots=1")
            .as(MetricsOptions.class);
    options.setMetricsSink(PostingSink.class);
    options.setMetricsHttpSinkUrl(
        "http://" + server.getAddress().getHostString() + ":" + server.getAddress().getPort());
    options.setMetricsPushPeriod(1L);
    Pipeline pipeline = Pipeline.create(options);
    pipeline.apply(Create.of(1, 2, 3)).apply("Look", ParDo.of(new WaitingFn()));
    PipelineResult running = pipeline.run();

    JsonNode first = counter();
    assertThat(first.path("attempted").longValue()).isPositive();
    assertThat(first.has("committed")).isFalse();
    leave.countDown();
    assertThat(running.waitUntilFinish()).isEqualTo(PipelineResult.State.DONE);
    JsonNode last = counter();
    while (!last.has("committed")) {
      last = counter();
    }
    assertThat(last.path("attempted").longValue()).isEqualTo(3);
    assertThat(last.path("committed").longValue()).isEqualTo(3);
  }

  /** The counter of the next post that has it. */
  private JsonNode counter() throws InterruptedException {
    while (true) {
      JsonNode metrics = posted.poll(30, TimeUnit.SECONDS);
      assertThat(metrics).as("what was posted within half a minute").isNotNull();
      for (JsonNode counter : metrics.path("counters")) {
        if (counter.path("name").path("name").asText().equals("looked")) {
          return counter;
        }
      }
    }
  }

  /** Posts counters as Beam's own sink for HTTP does; Beam makes it. */
  public static final class PostingSink implements MetricsSink {
    private final URI server;

    public PostingSink(MetricsOptions options) {
      server = URI.create(options.getMetricsHttpSinkUrl());
    }

    @Override
    public void writeMetrics(MetricQueryResults metrics) throws Exception {
      ObjectNode body = new ObjectMapper().createObjectNode();
      ArrayNode counters = body.putArray("counters");
      for (MetricResult<Long> result : metrics.getCounters()) {
        ObjectNode counter = counters.addObject();
        counter.putObject("name").put("name", result.getName().getName());
        counter.put("attempted", result.getAttempted());
        if (result.hasCommitted()) {
          counter.put("committed", result.getCommitted());
        }
      }
      HttpRequest post =
          HttpRequest.newBuilder(server)
              .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
              .build();
      HttpResponse<Void> answer =
          HttpClient.newHttpClient().send(post, HttpResponse.BodyHandlers.discarding());
      assertThat(answer.statusCode()).isEqualTo(200);
    }
  }

  private static final class WaitingFn extends DoFn<Integer, Integer> {
    private static final long serialVersionUID = 1;
    private final Counter looked = Metrics.counter("test", "looked");

    @ProcessElement
    public void process() throws InterruptedException {
      looked.inc();
      leave.await(60, TimeUnit.SECONDS);
    }
  }
}
