// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.client;

import dev.anemone.ndp.protocol.NdpHttp;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A file of HDFS, and as whom it is read.
 *
 * @param path absolute
 * @param nameNode host and port of its name node's RPC, as in {@code hdfs://host:port/}
 * @param user for clusters that believe names
 * @param delegation a delegation token of HDFS, for clusters with Kerberos
 * @param headers others that HDFS asks for: {@code Authorization}, {@code Cookie}
 */
public record RemoteFile(
    String path,
    String nameNode,
    Optional<String> user,
    Optional<String> delegation,
    Map<String, String> headers) {

  public RemoteFile {
    Objects.requireNonNull(nameNode, "nameNode");
    Objects.requireNonNull(user, "user");
    Objects.requireNonNull(delegation, "delegation");
    headers = Map.copyOf(headers);
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("the path " + path + " is not absolute");
    }
  }

  /** A file that is read by a user of a cluster that believes names. */
  public static RemoteFile of(String path, String nameNode, String user) {
    return new RemoteFile(path, nameNode, Optional.of(user), Optional.empty(), Map.of());
  }

  /** Path and query of a request with a plan. */
  String address() {
    StringBuilder address = new StringBuilder(NdpHttp.FILES);
    address.append(
        Arrays.stream(path.split("/", -1))
            .map(RemoteFile::encoded)
            .collect(Collectors.joining("/")));
    address.append("?op=OPEN&namenoderpcaddress=").append(encoded(nameNode));
    user.ifPresent(name -> address.append("&user.name=").append(encoded(name)));
    delegation.ifPresent(token -> address.append("&delegation=").append(encoded(token)));
    return address.toString();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
