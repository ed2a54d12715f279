// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between a client and a server of HTTP and does something to the answers to plans, or to
 * what a data node is asked; all else goes through as it is.
 */
final class HttpRelay implements AutoCloseable {

  /** Those that the JDK's client sets itself. */
  private static final Set<String> HOP_HEADERS =
      Set.of("host", "connection", "content-length", "transfer-encoding");

  private final InetSocketAddress target;
  private final Trick trick;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final AtomicInteger requests = new AtomicInteger();

  /** What is done with the answer to a plan. */
  interface Trick {
    /**
     * Plays it.
     *
     * @param body of the answer; may be changed
     * @return how many of its bytes are sent
     */
    int answer(byte[] body) throws Exception;
  }

  HttpRelay(InetSocketAddress target, Trick trick) throws IOException {
    this.target = target;
    this.trick = trick;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::relay);
    server.start();
  }

  InetSocketAddress address() {
    return server.getAddress();
  }

  /** Requests for a plan or a file. */
  int requests() {
    return requests.get();
  }

  private void relay(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] asked = exchange.getRequestBody().readAllBytes();
      HttpRequest.Builder request =
          HttpRequest.newBuilder(
                  URI.create(
                      "http://"
                          + target.getHostString()
                          + ":"
                          + target.getPort()
                          + exchange.getRequestURI()))
              .timeout(Duration.ofSeconds(60))
              .method(
                  exchange.getRequestMethod(),
                  asked.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(asked));
      exchange
          .getRequestHeaders()
          .forEach(
              (name, values) -> {
                if (!HOP_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
                  values.forEach(value -> request.header(name, value));
                }
              });
      HttpResponse<byte[]> response = client.send(request.build(), BodyHandlers.ofByteArray());
      byte[] body = response.body();
      int sent = body.length;
      if (exchange.getRequestURI().getPath().startsWith("/webhdfs/")) {
        requests.incrementAndGet();
        sent = trick.answer(body);
      }
      response
          .headers()
          .firstValue("Content-Type")
          .ifPresent(type -> exchange.getResponseHeaders().set("Content-Type", type));
      exchange.sendResponseHeaders(response.statusCode(), body.length == 0 ? -1 : body.length);
      if (body.length > 0) {
        // Closing the exchange before all is sent breaks the connection off.
        OutputStream out = exchange.getResponseBody();
        out.write(body, 0, sent);
        out.flush();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
