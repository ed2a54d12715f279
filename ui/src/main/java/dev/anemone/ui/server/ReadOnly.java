// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.server;

import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.Methods;
import io.undertow.util.StatusCodes;

/**
 * What all answers have in common: what a browser may do with them, and that nobody changes
 * anything.
 */
final class ReadOnly implements HttpHandler {

  private final String policy;
  private final HttpHandler inside;

  /**
   * What stands before a server.
   *
   * @param policy the Content-Security-Policy of what is answered
   * @param inside answers
   */
  ReadOnly(String policy, HttpHandler inside) {
    this.policy = policy;
    this.inside = inside;
  }

  @Override
  public void handleRequest(HttpServerExchange exchange) throws Exception {
    exchange.getResponseHeaders().put(new HttpString("Content-Security-Policy"), policy);
    exchange.getResponseHeaders().put(new HttpString("X-Content-Type-Options"), "nosniff");
    exchange.getResponseHeaders().put(new HttpString("Referrer-Policy"), "no-referrer");
    exchange
        .getResponseHeaders()
        .put(new HttpString("Cross-Origin-Resource-Policy"), "same-origin");
    if (exchange.getRequestMethod().equals(Methods.GET)
        || exchange.getRequestMethod().equals(Methods.HEAD)) {
      inside.handleRequest(exchange);
    } else {
      refuse(exchange, StatusCodes.METHOD_NOT_ALLOWED, "This server only shows: use GET.");
    }
  }

  /** Answers with a reason for a person. */
  static void refuse(HttpServerExchange exchange, int status, String why) {
    exchange.setStatusCode(status);
    exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/plain; charset=utf-8");
    exchange.getResponseSender().send(why + "\n");
  }
}
