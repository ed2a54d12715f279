// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.anemone.ndp.client.ProxyException.Kind;
import dev.anemone.ndp.protocol.NdpHttp;
import dev.anemone.ndp.protocol.PlanRequest;
import dev.anemone.ndp.protocol.ProxyStatus;
import dev.anemone.ndp.protocol.RequestJson;
import dev.anemone.ndp.protocol.TimedBody;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Objects;
import javax.net.ssl.SSLException;
import org.apache.arrow.memory.BufferAllocator;

/** Asks proxies to run plans. Thread-safe; asks nobody twice. */
public final class NdpClient {

  private static final int LONGEST_REASON = 1 << 16;
  private static final int OK = 200;
  private static final int CLIENT_ERROR = 400;
  private static final int SERVER_ERROR = 500;

  /** The plan was understood, and failed. */
  private static final int UNPROCESSABLE = 422;

  private static final int UNAVAILABLE = 503;

  private final ClientOptions options;
  private final HttpClient http;
  private final String scheme;

  public NdpClient(ClientOptions options) {
    this.options = Objects.requireNonNull(options, "options");
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(options.connectTimeout());
    options.tls().ifPresent(builder::sslContext);
    this.http = builder.build();
    this.scheme = options.tls().isPresent() ? "https://" : "http://";
  }

  /**
   * Runs a plan on a split of a file.
   *
   * @param proxy where it listens
   * @param allocator for the batches
   * @return the answer, to be closed by the caller
   * @throws ProxyException when there is none, for the reason that its kind says
   */
  public ProxyAnswer run(
      InetSocketAddress proxy, RemoteFile file, PlanRequest request, BufferAllocator allocator)
      throws ProxyException {
    byte[] body = RequestJson.write(request);
    String address = file.address();
    HttpRequest.Builder post =
        request(proxy, address, body)
            .header("Content-Type", NdpHttp.PLAN_TYPE)
            .POST(BodyPublishers.ofByteArray(body));
    file.headers().forEach(post::header);
    HttpResponse<TimedBody> response = send(proxy, post.build());
    FrameInput frames = new FrameInput(response.body(), options.maxAnswerBytes());
    ProxyAnswer answer = null;
    try {
      if (!response.headers().firstValue("Content-Type").orElse("").equals(NdpHttp.ANSWER_TYPE)) {
        throw new ProxyException(
            Kind.REFUSED, "what answers at " + proxy + " is no proxy of Anemone", null);
      }
      answer =
          new ProxyAnswer(
              frames, AnswerReadAhead.begin(frames, options), request.plan().output(), allocator);
      answer.requireSchema();
      return answer;
    } catch (IOException e) {
      ProxyException failure =
          e instanceof ProxyException known
              ? known
              : new ProxyException(
                  Kind.BROKEN_OFF, "the answer could not be read: " + e.getMessage(), e);
      close(answer == null ? frames : answer, failure);
      throw failure;
    }
  }

  /**
   * How a proxy is.
   *
   * @throws ProxyException when it does not say so
   */
  public ProxyStatus status(InetSocketAddress proxy) throws ProxyException {
    HttpResponse<TimedBody> response =
        send(proxy, request(proxy, NdpHttp.STATUS, new byte[0]).GET().build());
    try (TimedBody body = response.body()) {
      return ProxyStatus.read(body.readNBytes(LONGEST_REASON));
    } catch (IOException e) {
      throw ProxyException.ofReading(
          "the status of " + proxy + " cannot be read: " + e.getMessage(), e);
    }
  }

  private HttpRequest.Builder request(InetSocketAddress proxy, String address, byte[] body) {
    String host = proxy.getHostString();
    String name = host.indexOf(':') < 0 ? host : "[" + host + "]";
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(scheme + name + ":" + proxy.getPort() + address))
            .timeout(options.deadline());
    options
        .secret()
        .ifPresent(
            secret ->
                request.header(
                    NdpHttp.PROOF_HEADER, secret.proof(System.currentTimeMillis(), address, body)));
    return request;
  }

  private HttpResponse<TimedBody> send(InetSocketAddress proxy, HttpRequest request)
      throws ProxyException {
    HttpResponse<TimedBody> response;
    try {
      response = http.send(request, head -> new TimedBody(options.patience(), options.deadline()));
    } catch (ConnectException | HttpConnectTimeoutException e) {
      throw new ProxyException(
          Kind.UNREACHABLE, "no proxy can be reached at " + proxy + ": " + e.getMessage(), e);
    } catch (SSLException e) {
      throw new ProxyException(
          Kind.UNREACHABLE,
          "what listens at "
              + proxy
              + " does not prove that it is the proxy of that name, which speaks HTTPS; look at its"
              + " certificate and at those that are trusted (ssl-client.xml): "
              + e.getMessage(),
          e);
    } catch (IOException e) {
      throw ProxyException.ofReading(
          "the proxy at " + proxy + " did not answer: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ProxyException(
          Kind.BROKEN_OFF, "interrupted while the proxy at " + proxy + " was asked", e);
    }
    if (response.statusCode() != OK) {
      throw refusal(proxy, response);
    }
    return response;
  }

  private static ProxyException refusal(InetSocketAddress proxy, HttpResponse<TimedBody> response) {
    int status = response.statusCode();
    byte[] text;
    try (TimedBody body = response.body()) {
      text = body.readNBytes(LONGEST_REASON);
    } catch (IOException e) {
      return ProxyException.ofReading(
          "the proxy at " + proxy + " broke off its refusal " + status, e);
    }
    JsonNode json;
    try {
      json = new JsonMapper().readTree(text);
    } catch (JsonProcessingException e) {
      return new ProxyException(Kind.REFUSED, proxy + " answers " + status, e);
    } catch (IOException e) {
      throw new IllegalStateException("memory can be read", e);
    }
    String message = proxy + " answers " + status + ": " + json.path("reason").asText();
    if (status == UNAVAILABLE) {
      long seconds = response.headers().firstValueAsLong("Retry-After").orElse(1);
      return ProxyException.busy(message, json.path("queued").asInt(), Duration.ofSeconds(seconds));
    }
    boolean refused = status >= CLIENT_ERROR && status < SERVER_ERROR && status != UNPROCESSABLE;
    return new ProxyException(refused ? Kind.REFUSED : Kind.FAILED, message, null);
  }

  private static void close(AutoCloseable open, ProxyException failure) {
    try {
      open.close();
    } catch (Exception e) {
      failure.addSuppressed(e);
    }
  }
}
