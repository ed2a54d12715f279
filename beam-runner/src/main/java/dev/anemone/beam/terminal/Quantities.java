// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.terminal;

import java.time.Duration;
import java.util.Locale;

/** Quantities in the few characters that a line has room for. */
public final class Quantities {

  private static final String[] BYTE_UNITS = {"B", "kB", "MB", "GB", "TB", "PB"};
  private static final double STEP = 1000;
  private static final double SECOND_MILLIS = 1000;
  private static final long MINUTE = 60;
  private static final long HOUR = 3600;

  private Quantities() {}

  /** Such as {@code 12.3 MB}, in powers of 1000. */
  public static String bytes(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= STEP && unit < BYTE_UNITS.length - 1) {
      value /= STEP;
      unit++;
    }
    return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", value, BYTE_UNITS[unit]);
  }

  /** Such as {@code 1,234,567}. */
  public static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** Such as {@code 12.3 s}, {@code 2:05 min} or {@code 1:02:05 h}. */
  public static String time(Duration time) {
    long seconds = time.toSeconds();
    if (seconds < MINUTE) {
      return String.format(Locale.ROOT, "%.1f s", time.toMillis() / SECOND_MILLIS);
    }
    if (seconds < HOUR) {
      return String.format(Locale.ROOT, "%d:%02d min", seconds / MINUTE, seconds % MINUTE);
    }
    return String.format(
        Locale.ROOT, "%d:%02d:%02d h", seconds / HOUR, seconds % HOUR / MINUTE, seconds % MINUTE);
  }
}
