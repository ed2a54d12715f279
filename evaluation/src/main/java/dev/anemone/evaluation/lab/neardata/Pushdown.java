// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.neardata;

import dev.anemone.passes.pushdown.StoragePushdownPass;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What a job pushes to the storage side. */
public enum Pushdown {
  NONE("NoPushdown", StoragePushdownPass.Pushdown.NONE),
  FILTER("filter", StoragePushdownPass.Pushdown.FILTER),
  PROJECT("filter+project", StoragePushdownPass.Pushdown.PROJECT),
  FULL("FullPushdown", StoragePushdownPass.Pushdown.FULL),
  NEAR_DATA("NearData", StoragePushdownPass.Pushdown.NEAR_DATA);

  private final String text;
  private final StoragePushdownPass.Pushdown choice;

  Pushdown(String text, StoragePushdownPass.Pushdown choice) {
    this.text = text;
    this.choice = choice;
  }

  /** Those that do not look at anything; the oracle knows which one is best. */
  public static List<Pushdown> fixed() {
    return Stream.of(values()).filter(pushdown -> pushdown != NEAR_DATA).toList();
  }

  /** For tables and charts. */
  public String text() {
    return text;
  }

  /** The options of a job. */
  List<String> options() {
    return List.of(
        "--optimizationPolicy=NearData",
        "--passOptions=pushdown=" + choice.name().toLowerCase(Locale.ROOT));
  }
}
