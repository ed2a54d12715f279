// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Metrics;

/** What reads count, as metrics of their step in the namespace {@value #NAMESPACE}. */
public final class NdpMetrics {

  /** The namespace. */
  public static final String NAMESPACE = "dev.anemone.ndp";

  /** Splits of which a proxy ran some operators. */
  public static final String SPLITS_PUSHED = "splitsPushed";

  /** Splits that a proxy was asked for, and that the task did all the same. */
  public static final String SPLITS_PUSHED_BACK = "splitsPushedBack";

  /** Bytes of batches that came from proxies. */
  public static final String ANSWER_BYTES = "answerBytes";

  /** Bytes of files that came from a file system; none of files that lie on the task's machine. */
  public static final String READ_BYTES = "readBytes";

  /** Row groups of Parquet that tasks have read. */
  public static final String ROW_GROUPS_READ = "rowGroupsRead";

  /** Row groups that tasks have not read, since none of their rows passes the first filters. */
  public static final String ROW_GROUPS_SKIPPED = "rowGroupsSkipped";

  /**
   * With a number behind it: splits of which proxies ran so many operators; with 0, those that were
   * not meant to be pushed, without those that were pushed back.
   */
  public static final String SPLITS_PUSHING = "splitsPushing";

  private static final Counter PUSHED = Metrics.counter(NAMESPACE, SPLITS_PUSHED);
  private static final Counter PUSHED_BACK = Metrics.counter(NAMESPACE, SPLITS_PUSHED_BACK);
  private static final Counter ANSWERED = Metrics.counter(NAMESPACE, ANSWER_BYTES);
  private static final Counter GROUPS = Metrics.counter(NAMESPACE, ROW_GROUPS_READ);
  private static final Counter SKIPPED = Metrics.counter(NAMESPACE, ROW_GROUPS_SKIPPED);
  private static final Counter READ = Metrics.counter(NAMESPACE, READ_BYTES);

  private NdpMetrics() {}

  static void pushed(long answerBytes) {
    PUSHED.inc();
    ANSWERED.inc(answerBytes);
  }

  static void pushedBack() {
    PUSHED_BACK.inc();
  }

  static void operatorsPushed(int operators) {
    Metrics.counter(NAMESPACE, SPLITS_PUSHING + operators).inc();
  }

  static void rowGroups(int read, int skipped) {
    GROUPS.inc(read);
    SKIPPED.inc(skipped);
  }

  static void read(long bytes) {
    READ.inc(bytes);
  }
}
