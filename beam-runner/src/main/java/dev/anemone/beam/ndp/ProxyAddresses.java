// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.beam.options.InvalidPipelineException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The proxies that {@code --ndpProxies} names. */
final class ProxyAddresses {

  private static final Pattern ADDRESS =
      Pattern.compile("(\\[[0-9a-fA-F:]+]|[^:\\[\\]]+):(\\d{1,5})");
  private static final int LAST_PORT = 65_535;

  private ProxyAddresses() {}

  /**
   * Their addresses.
   *
   * @throws InvalidPipelineException when one is no address
   */
  static List<InetSocketAddress> of(List<String> texts) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (String text : texts) {
      Matcher matcher = ADDRESS.matcher(text.strip());
      if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > LAST_PORT) {
        throw new InvalidPipelineException(
            "--ndpProxies has '"
                + text
                + "', which is no address. Give hosts and ports, such as"
                + " --ndpProxies=node1:9870,node2:9870.");
      }
      addresses.add(new InetSocketAddress(matcher.group(1), Integer.parseInt(matcher.group(2))));
    }
    return addresses;
  }
}
