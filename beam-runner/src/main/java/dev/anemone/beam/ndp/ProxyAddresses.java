// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.beam.options.InvalidPipelineException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The proxies that {@code --ndpProxies} names.
 *
 * @param all their addresses
 * @param encrypted whether they speak HTTPS
 */
record ProxyAddresses(List<InetSocketAddress> all, boolean encrypted) {

  private static final String HTTPS = "https://";
  private static final Pattern ADDRESS =
      Pattern.compile("(\\[[0-9a-fA-F:]+]|[^:/\\[\\]]+):(\\d{1,5})");
  private static final int LAST_PORT = 65_535;

  ProxyAddresses {
    all = List.copyOf(all);
  }

  /**
   * Their addresses.
   *
   * @throws InvalidPipelineException when one is no address, or not all speak HTTPS or none
   */
  static ProxyAddresses of(List<String> texts) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    int encrypted = 0;
    for (String text : texts) {
      String address = text.strip();
      if (address.startsWith(HTTPS)) {
        encrypted++;
        address = address.substring(HTTPS.length());
      }
      Matcher matcher = ADDRESS.matcher(address);
      if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > LAST_PORT) {
        throw new InvalidPipelineException(
            "--ndpProxies has '"
                + text
                + "', which is no address. Give hosts and ports, such as"
                + " --ndpProxies=node1:9964,node2:9964, or with https:// before each.");
      }
      addresses.add(new InetSocketAddress(matcher.group(1), Integer.parseInt(matcher.group(2))));
    }
    if (encrypted != 0 && encrypted != texts.size()) {
      throw new InvalidPipelineException(
          "--ndpProxies="
              + String.join(",", texts)
              + " has addresses with https:// and without. Let all proxies speak HTTPS, or none.");
    }
    return new ProxyAddresses(addresses, encrypted > 0);
  }

  /**
   * Whoever reads a delegation token can read the user's files.
   *
   * @throws InvalidPipelineException when others could
   */
  void requirePrivacy() {
    for (InetSocketAddress address : all) {
      if (!encrypted && (address.isUnresolved() || !address.getAddress().isLoopbackAddress())) {
        throw new InvalidPipelineException(
            "--ndpProxies has "
                + address.getHostString()
                + ":"
                + address.getPort()
                + ", and the cluster wants Kerberos: what is pushed comes with a delegation token,"
                + " which everybody on the network could read. Let the proxies speak HTTPS"
                + " (ndp-proxy --listen=https://...), and give https:// before each.");
      }
    }
  }
}
