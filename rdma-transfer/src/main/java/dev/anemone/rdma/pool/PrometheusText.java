// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import java.util.List;
import java.util.Locale;

/** What a server says of itself, in Prometheus's text format (version 0.0.4). */
public final class PrometheusText {

  private static final String PREFIX = "anemone_pool_";

  private final StringBuilder text = new StringBuilder();
  private final String server;

  private PrometheusText(String server) {
    this.server = "server=\"" + server + "\"";
  }

  /** All numbers of a server; each is the value of the moment. */
  public static String of(ServerStatus status) {
    PrometheusText text = new PrometheusText(status.server());
    text.head("tier_capacity_bytes", "Bytes of all pages of a tier.");
    for (int i = 0; i < status.tiers().size(); i++) {
      text.tier("tier_capacity_bytes", i, status.tiers(), status.tiers().get(i).capacityBytes());
    }
    text.head("tier_used_bytes", "Bytes of the pages of a tier that are not free.");
    for (int i = 0; i < status.tiers().size(); i++) {
      text.tier("tier_used_bytes", i, status.tiers(), status.tiers().get(i).usedBytes());
    }
    text.gauge(
        "draining",
        "1 when the server takes no more objects, and ends when it has none.",
        status.state() == ServerStatus.State.DRAINING ? 1 : 0);
    text.gauge("open_bytes", "Bytes of pages that clients write.", status.openBytes());
    text.gauge("sealed_bytes", "Bytes of pages of committed objects.", status.sealedBytes());
    text.gauge(
        "withheld_bytes",
        "Bytes of pages that nobody gets before their former writers are certain not to write.",
        status.withheldBytes());
    text.gauge("names", "Names that the server answers for or keeps a copy of.", status.entries());
    text.gauge("clients", "Clients that are connected.", status.clients());
    return text.text.toString();
  }

  private void head(String name, String help) {
    text.append("# HELP ").append(PREFIX).append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(PREFIX).append(name).append(" gauge\n");
  }

  private void tier(String name, int number, List<ServerStatus.Tier> tiers, long value) {
    String kind = tiers.get(number).kind().name().toLowerCase(Locale.ROOT);
    line(name, server + ",tier=\"" + kind + "\",number=\"" + number + "\"", value);
  }

  private void gauge(String name, String help, long value) {
    head(name, help);
    line(name, server, value);
  }

  private void line(String name, String labels, long value) {
    text.append(PREFIX).append(name).append('{').append(labels).append("} ").append(value);
    text.append('\n');
  }
}
