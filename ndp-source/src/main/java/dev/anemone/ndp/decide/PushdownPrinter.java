// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

import java.util.List;
import java.util.Locale;

/**
 * Prints decisions for people: the state, then a line for each number of operators, with {@code >}
 * before what was chosen. Lines are ended by line feeds.
 */
final class PushdownPrinter {
  private PushdownPrinter() {}

  static String print(JobDecision decision) {
    SplitCost split = decision.job().meanSplit();
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%d splits of %s%s\n",
            decision.job().splits(),
            megabytes(split.bytes()),
            start(split.start())));
    appendLoad(text, decision.load());
    appendTable(text, split, decision.estimates(), List.of(), decision.pushed());
    PushdownMix mix = decision.mix();
    if (mix.fewer() != mix.more()) {
      text.append(
          String.format(
              Locale.ROOT,
              "best: %s for %.0f %% of the splits, %s for the others: %.3f s\n",
              lastPushed(split, mix.more()),
              100 * mix.shareOfMore(),
              lastPushed(split, mix.fewer()),
              mix.seconds()));
    }
    return text.toString();
  }

  static String print(SplitDecision decision) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "a split of %s%s\n",
            megabytes(decision.split().bytes()),
            start(decision.split().start())));
    appendLoad(text, decision.load());
    text.append(String.format(Locale.ROOT, "node     %s\n", side(decision.node())));
    appendTable(
        text, decision.split(), decision.estimates(), decision.jobSeconds(), decision.pushed());
    return text.toString();
  }

  private static String start(StartCost start) {
    return start.equals(StartCost.NONE)
        ? ""
        : String.format(
            Locale.ROOT,
            ", ready in %.3f core-s there, %.3f here",
            start.storageSeconds(),
            start.computeSeconds());
  }

  private static void appendLoad(StringBuilder text, SystemLoad load) {
    text.append(String.format(Locale.ROOT, "storage  %s\n", side(load.storage())));
    text.append(
        String.format(
            Locale.ROOT,
            "network  %s/s, %d transfers%s\n",
            megabytes(load.network().bytesPerSecond()),
            load.network().transfers(),
            Double.isInfinite(load.network().bytesLeft())
                ? ""
                : " of " + megabytes(load.network().bytesLeft())));
    text.append(
        String.format(Locale.ROOT, "compute  %s, %d slots\n", side(load.compute()), load.slots()));
  }

  private static void appendTable(
      StringBuilder text,
      SplitCost split,
      List<PushdownEstimate> estimates,
      List<Double> jobSeconds,
      int chosen) {
    text.append(
        String.format(
            Locale.ROOT,
            "  %-16s %14s %10s %10s %10s %10s%s\n",
            "pushed up to",
            "sent",
            "storage s",
            "network s",
            "compute s",
            "in all s",
            jobSeconds.isEmpty() ? "" : String.format(Locale.ROOT, " %10s", "job s")));
    for (PushdownEstimate estimate : estimates) {
      text.append(
          String.format(
              Locale.ROOT,
              "%s %-16s %14s %10.3f %10.3f %10.3f %10.3f%s\n",
              estimate.pushed() == chosen ? ">" : " ",
              lastPushed(split, estimate.pushed()),
              megabytes(estimate.networkBytes()),
              estimate.storageSeconds(),
              estimate.networkSeconds(),
              estimate.computeSeconds(),
              estimate.seconds(),
              jobSeconds.isEmpty()
                  ? ""
                  : String.format(Locale.ROOT, " %10.3f", jobSeconds.get(estimate.pushed()))));
    }
  }

  private static String lastPushed(SplitCost split, int pushed) {
    return pushed == 0 ? "nothing" : split.operators().get(pushed - 1).name();
  }

  private static String side(ClusterLoad load) {
    return String.format(
        Locale.ROOT,
        "%d x %d cores, %d tasks, drains %.1f core-s/s",
        load.nodes(),
        load.coresPerNode(),
        load.tasks(),
        load.drainRate());
  }

  private static String megabytes(double bytes) {
    return String.format(Locale.ROOT, "%.3f MB", bytes / 1e6);
  }
}
