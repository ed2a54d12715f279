// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.server;

import dev.anemone.ui.model.JobJson;
import dev.anemone.ui.model.JobModel;
import dev.anemone.ui.model.JobSummary;
import dev.anemone.ui.page.Asset;
import dev.anemone.ui.page.JobPage;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.StatusCodes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers: {@code /} and {@code /jobs}, the list (with one job, {@code /} goes to its page); {@code
 * /jobs/ID}, the page of a job; {@code /api/jobs/ID}, {@code .../plans} and {@code
 * .../tasks?from=N}, its data; {@code /metrics}, what Prometheus scrapes; {@code /assets/NAME}, the
 * page's files. What has not changed since it was asked for with the same {@code If-None-Match} is
 * not sent again.
 */
final class JobHandler implements HttpHandler {

  private static final Logger LOG = LoggerFactory.getLogger(JobHandler.class);

  private static final String HTML = "text/html; charset=utf-8";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
  private static final String JSON = "application/json; charset=utf-8";

  private final Jobs jobs;

  JobHandler(Jobs jobs) {
    this.jobs = jobs;
  }

  @Override
  public void handleRequest(HttpServerExchange exchange) {
    try {
      answer(exchange);
    } catch (IOException e) {
      LOG.warn("{} cannot be read", exchange.getRequestPath(), e);
      exchange.setStatusCode(StatusCodes.INTERNAL_SERVER_ERROR);
      send(
          exchange,
          "text/plain; charset=utf-8",
          "What is known of this job cannot be read: " + e.getMessage() + "\n");
    }
  }

  private void answer(HttpServerExchange exchange) throws IOException {
    String[] path = exchange.getRelativePath().substring(1).split("/", -1);
    switch (path[0]) {
      case "" -> first(exchange);
      case "jobs" -> page(exchange, path);
      case "api" -> data(exchange, path);
      case "metrics" -> metrics(exchange);
      case "assets" -> asset(exchange, path);
      default -> missing(exchange);
    }
  }

  private void first(HttpServerExchange exchange) throws IOException {
    List<JobSummary> all = jobs.list();
    if (all.size() != 1) {
      send(exchange, HTML, JobPage.ofJobs(all, jobs.remarks()));
      return;
    }
    send(exchange, HTML, JobPage.toJob(all.get(0)));
  }

  private void page(HttpServerExchange exchange, String[] path) throws IOException {
    if (path.length == 1) {
      send(exchange, HTML, JobPage.ofJobs(jobs.list(), jobs.remarks()));
      return;
    }
    Optional<JobModel> job = path.length == 2 ? jobs.job(path[1]) : Optional.empty();
    if (job.isPresent()) {
      send(exchange, HTML, JobPage.ofJob(job.get().head()));
    } else {
      missing(exchange);
    }
  }

  private void data(HttpServerExchange exchange, String[] path) throws IOException {
    if (path.length == 2 && path[1].equals("jobs")) {
      write(exchange, out -> JobJson.writeList(jobs.list(), out));
      return;
    }
    Optional<JobModel> found =
        path.length > 2 && path[1].equals("jobs") ? jobs.job(path[2]) : Optional.empty();
    if (found.isEmpty()) {
      missing(exchange);
      return;
    }
    JobModel job = found.get();
    String tag = "\"" + job.version() + "\"";
    exchange.getResponseHeaders().put(Headers.ETAG, tag);
    if (tag.equals(exchange.getRequestHeaders().getFirst(Headers.IF_NONE_MATCH))) {
      exchange.setStatusCode(StatusCodes.NOT_MODIFIED);
      exchange.endExchange();
      return;
    }
    switch (path.length == 3 ? "" : path[3]) {
      case "" -> write(exchange, out -> JobJson.writeHead(job.head(), out));
      case "plans" -> write(exchange, out -> JobJson.writePlans(job.plans(), out));
      case "tasks" ->
          write(exchange, out -> JobJson.writeAttempts(job.attempts(from(exchange)), out));
      default -> missing(exchange);
    }
  }

  private void metrics(HttpServerExchange exchange) {
    Optional<String> text = jobs.metrics();
    if (text.isPresent()) {
      send(exchange, PROMETHEUS, text.get());
    } else {
      missing(exchange);
    }
  }

  private static int from(HttpServerExchange exchange) {
    Deque<String> from = exchange.getQueryParameters().get("from");
    try {
      return from == null ? 0 : Integer.parseInt(from.getFirst());
    } catch (NumberFormatException e) {
      // Whoever asks for nonsense gets all.
      return 0;
    }
  }

  private static void asset(HttpServerExchange exchange, String[] path) {
    Optional<Asset> asset = path.length == 2 ? Asset.named(path[1]) : Optional.empty();
    if (asset.isPresent()) {
      send(exchange, asset.get().contentType(), asset.get().text());
    } else {
      missing(exchange);
    }
  }

  private static void missing(HttpServerExchange exchange) {
    exchange.setStatusCode(StatusCodes.NOT_FOUND);
    send(exchange, "text/plain; charset=utf-8", "There is nothing here; / shows what there is.\n");
  }

  private static void send(HttpServerExchange exchange, String type, String text) {
    exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, type);
    exchange.getResponseHeaders().put(Headers.CACHE_CONTROL, "no-cache");
    exchange.getResponseSender().send(text, StandardCharsets.UTF_8);
  }

  private static void write(HttpServerExchange exchange, Content content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    content.writeTo(bytes);
    exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, JSON);
    exchange.getResponseHeaders().put(Headers.CACHE_CONTROL, "no-cache");
    exchange.getResponseSender().send(ByteBuffer.wrap(bytes.toByteArray()));
  }

  private interface Content {
    void writeTo(OutputStream out) throws IOException;
  }
}
