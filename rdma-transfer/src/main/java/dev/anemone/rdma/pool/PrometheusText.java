// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import java.util.List;
import java.util.Locale;

/** What a server says of itself, in Prometheus's text format (version 0.0.4). */
public final class PrometheusText {

  private static final String PREFIX = "anemone_pool_";
  private static final String GAUGE = "gauge";

  private final StringBuilder text = new StringBuilder();
  private final String server;

  private PrometheusText(String server) {
    this.server = "server=\"" + server + "\"";
  }

  /** All numbers of a server: gauges, and counters, which begin with 0 when it is started. */
  public static String of(ServerStatus status) {
    PrometheusText text = new PrometheusText(status.server());
    text.gauges(status);
    text.counters(status.counters());
    return text.text.toString();
  }

  private void gauges(ServerStatus status) {
    head("tier_capacity_bytes", GAUGE, "Bytes of all pages of a tier.");
    for (int i = 0; i < status.tiers().size(); i++) {
      tier("tier_capacity_bytes", i, status.tiers(), status.tiers().get(i).capacityBytes());
    }
    head("tier_used_bytes", GAUGE, "Bytes of the pages of a tier that are not free.");
    for (int i = 0; i < status.tiers().size(); i++) {
      tier("tier_used_bytes", i, status.tiers(), status.tiers().get(i).usedBytes());
    }
    head("tier_served_bytes", GAUGE, "Bytes of pages that the server copies for its clients.");
    for (int i = 0; i < status.tiers().size(); i++) {
      tier("tier_served_bytes", i, status.tiers(), status.tiers().get(i).servedBytes());
    }
    gauge(
        "draining",
        "1 when the server takes no more objects, and ends when it has none.",
        status.state() == ServerStatus.State.DRAINING ? 1 : 0);
    gauge("open_bytes", "Bytes of pages that clients write.", status.openBytes());
    gauge("sealed_bytes", "Bytes of pages of committed objects.", status.sealedBytes());
    gauge(
        "withheld_bytes",
        "Bytes of pages that nobody gets before their former writers are certain not to write.",
        status.withheldBytes());
    gauge("names", "Names that the server answers for or keeps a copy of.", status.entries());
    gauge("clients", "Clients that are connected.", status.clients());
  }

  private void counters(ServerStatus.Counters counters) {
    counter(
        "committed_objects_total",
        "Objects that were made visible by this server, which answers for their names.",
        counters.commits().objects());
    counter(
        "committed_bytes_total",
        "Bytes of these objects, on whichever servers of the pool they lie.",
        counters.commits().bytes());
    counter(
        "lookups_total",
        "Questions of clients what a path stands for; those that remember names do not ask.",
        counters.lookups().answered());
    counter(
        "found_objects_total",
        "How many of these questions found an object.",
        counters.lookups().objects());
    counter(
        "found_bytes_total",
        "Bytes of the objects that were found. How many of them were read is not seen here, as"
            + " clients read one-sidedly.",
        counters.lookups().bytes());
    counter(
        "sealed_bytes_total",
        "Bytes of pages of this server, whole ones, that became those of an object.",
        counters.pages().sealedBytes());
    counter(
        "freed_bytes_total",
        "Bytes of pages of objects, whole ones, that became free: deleted, replaced, at the end of"
            + " a lease or time, or as the commit failed.",
        counters.pages().freedBytes());
    counter(
        "refused_pages_total",
        "Pages that were asked for and not given as there was no room; clients do not ask servers"
            + " that they know as full.",
        counters.pages().refused());
  }

  private void head(String name, String type, String help) {
    text.append("# HELP ").append(PREFIX).append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(PREFIX).append(name).append(' ').append(type).append('\n');
  }

  private void tier(String name, int number, List<ServerStatus.Tier> tiers, long value) {
    String kind = tiers.get(number).kind().name().toLowerCase(Locale.ROOT);
    line(name, server + ",tier=\"" + kind + "\",number=\"" + number + "\"", value);
  }

  private void gauge(String name, String help, long value) {
    head(name, GAUGE, help);
    line(name, server, value);
  }

  private void counter(String name, String help, long value) {
    head(name, "counter", help);
    line(name, server, value);
  }

  private void line(String name, String labels, long value) {
    text.append(PREFIX).append(name).append('{').append(labels).append("} ").append(value);
    text.append('\n');
  }
}
