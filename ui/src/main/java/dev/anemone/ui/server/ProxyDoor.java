// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.server;

import dev.anemone.runtime.event.MasterPage;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.Cookie;
import io.undertow.util.StatusCodes;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Lets in the proxy of a YARN cluster and nobody else, as YARN's filter for application masters
 * does. The proxy says in a cookie for whom it asks; since nobody else is let in, it is believed.
 */
final class ProxyDoor implements HttpHandler {

  /** So YARN's proxy calls it. */
  private static final String USER_COOKIE = "proxy-user";

  private final MasterPage.Audience audience;
  private final HttpHandler inside;

  ProxyDoor(MasterPage.Audience audience, HttpHandler inside) {
    this.audience = audience;
    this.inside = inside;
  }

  @Override
  public void handleRequest(HttpServerExchange exchange) throws Exception {
    if (!audience.proxies().get().contains(exchange.getSourceAddress().getAddress())) {
      // No redirect: a proxy that is not known as one would follow it for ever.
      ReadOnly.refuse(
          exchange,
          StatusCodes.FORBIDDEN,
          "This page answers the cluster's proxy only. Its address is " + audience.address());
    } else if (!audience.mayRead().test(user(exchange))) {
      ReadOnly.refuse(
          exchange,
          StatusCodes.FORBIDDEN,
          user(exchange).map(name -> "User " + name).orElse("Who is not logged in")
              + " may not see this application. Its owner says who may, by tez.am.view-acls.");
    } else {
      inside.handleRequest(exchange);
    }
  }

  private static Optional<String> user(HttpServerExchange exchange) {
    return Optional.ofNullable(exchange.getRequestCookie(USER_COOKIE))
        .map(Cookie::getValue)
        .map(name -> URLDecoder.decode(name, StandardCharsets.UTF_8))
        .filter(name -> !name.isBlank());
  }
}
