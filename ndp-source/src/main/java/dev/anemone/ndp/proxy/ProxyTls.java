// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/**
 * Which of a proxy's connections are encrypted.
 *
 * @param clients makes the proxy's end of a connection with a client, by any thread; without it
 *     clients speak HTTP
 * @param dataNode by which the data node's certificate is checked; without it the data node speaks
 *     HTTP
 */
public record ProxyTls(Optional<Supplier<SSLEngine>> clients, Optional<SSLContext> dataNode) {

  /** Everybody speaks HTTP. */
  public static final ProxyTls NONE = new ProxyTls(Optional.empty(), Optional.empty());

  public ProxyTls {
    Objects.requireNonNull(clients, "clients");
    Objects.requireNonNull(dataNode, "dataNode");
  }

  /** What addresses of files at the proxy begin with. */
  String clientScheme() {
    return scheme(clients.isPresent());
  }

  /** What addresses at the data node begin with. */
  String dataNodeScheme() {
    return scheme(dataNode.isPresent());
  }

  private static String scheme(boolean encrypted) {
    return encrypted ? "https" : "http";
  }
}
