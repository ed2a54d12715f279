// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import dev.anemone.ndp.protocol.NdpHttp;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Tells the files of WebHDFS from what else a data node's web server shows: its settings, logs,
 * threads and measurements, which it may show to this machine and not to all.
 */
final class WebHdfsPaths {

  private static final Pattern SLASH = Pattern.compile("/");

  private WebHdfsPaths() {}

  /** Whether an address, as it stands in a request, is one of WebHDFS however it is read. */
  static boolean has(String address) {
    if (!address.startsWith(NdpHttp.FILES + "/") && !address.startsWith(NdpHttp.FILES + "?")) {
      return false;
    }
    try {
      String path = new QueryStringDecoder(address, StandardCharsets.UTF_8).path();
      // No file has such a name; a server may take it for another directory.
      return SLASH.splitAsStream(path).noneMatch(name -> name.equals(".") || name.equals(".."));
    } catch (IllegalArgumentException e) {
      // It cannot be decoded, so nobody knows what it would be taken for.
      return false;
    }
  }
}
