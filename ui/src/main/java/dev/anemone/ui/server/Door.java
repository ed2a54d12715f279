// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.server;

import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.Cookie;
import io.undertow.server.handlers.CookieImpl;
import io.undertow.util.Headers;
import io.undertow.util.StatusCodes;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Whom a server answers. A request that names a host which this server does not have comes from a
 * page of somebody else whose name was bound to this address; and whoever may reach more than the
 * loopback needs the token, once: then a cookie has it.
 */
final class Door implements HttpHandler {

  /** What HTTP says to one who asks the wrong server; Undertow has no name for it. */
  private static final int MISDIRECTED = 421;

  private static final String COOKIE = "anemone-token";
  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");

  private final String host;
  private final Optional<String> token;
  private final HttpHandler inside;

  /**
   * A door.
   *
   * @param host that the server listens at
   * @param token that requests must have; empty for a server that only this machine reaches
   * @param inside answers who may come in
   */
  Door(String host, Optional<String> token, HttpHandler inside) {
    this.host = host;
    this.token = token;
    this.inside = inside;
  }

  @Override
  public void handleRequest(HttpServerExchange exchange) throws Exception {
    if (!knows(exchange.getHostName())) {
      ReadOnly.refuse(
          exchange,
          MISDIRECTED,
          "This server does not have that name. Use the address that was printed when it started.");
      return;
    }
    if (token.isEmpty() || isRight(cookie(exchange), token.get())) {
      inside.handleRequest(exchange);
      return;
    }
    if (isRight(query(exchange), token.get())) {
      exchange.setResponseCookie(
          new CookieImpl(COOKIE, token.get())
              .setHttpOnly(true)
              .setPath("/")
              .setSameSiteMode("Strict"));
      // Without the token, which would stand in the browser's history.
      exchange.setStatusCode(StatusCodes.SEE_OTHER);
      exchange.getResponseHeaders().put(Headers.LOCATION, exchange.getRequestPath());
      exchange.endExchange();
      return;
    }
    ReadOnly.refuse(
        exchange,
        StatusCodes.UNAUTHORIZED,
        "The token is missing or wrong. Use the whole address that was printed when the server"
            + " started, with ?token=...");
  }

  private boolean knows(String name) {
    String asked = name == null ? "" : name.toLowerCase(Locale.ROOT);
    // Browsers send the cookie to the name that got it, so the token says enough where there are
    // many names.
    return LOOPBACK.contains(asked)
        || asked.equals("::1")
        || asked.equals(host.toLowerCase(Locale.ROOT))
        || token.isPresent();
  }

  private static boolean isRight(String given, String wanted) {
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8), wanted.getBytes(StandardCharsets.UTF_8));
  }

  private static String query(HttpServerExchange exchange) {
    Deque<String> given = exchange.getQueryParameters().get("token");
    return given == null || given.isEmpty() ? "" : given.getFirst();
  }

  private static String cookie(HttpServerExchange exchange) {
    Cookie cookie = exchange.getRequestCookie(COOKIE);
    return cookie == null ? "" : cookie.getValue();
  }
}
