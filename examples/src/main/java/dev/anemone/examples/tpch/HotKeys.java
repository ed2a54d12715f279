// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpch;

import dev.anemone.examples.tables.DataSet;

/**
 * How skewed a foreign key is: a few hot keys own a share of all references. Among themselves they
 * share by Zipf's law: the one of rank r, from 1, owns a part proportional to 1/r.
 *
 * @param share of all references that belong to the hot keys, above 0 and below 1
 * @param count how many hot keys there are, at least 1
 */
public record HotKeys(double share, int count) {

  /**
   * A skew.
   *
   * @throws IllegalArgumentException if the share or the count is out of range
   */
  public HotKeys {
    if (!(share > 0 && share < 1)) {
      throw new IllegalArgumentException(
          "a share of " + share + " is out of range; give a share above 0 and below 1");
    }
    if (count < 1) {
      throw new IllegalArgumentException(
          count + " hot keys are out of range; give a number of keys of at least 1");
    }
  }

  /**
   * Reads {@code SHARE:KEYS}, such as {@code 0.25:20}.
   *
   * @throws IllegalArgumentException if it has another form, or a number is out of range
   */
  static HotKeys parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      throw new IllegalArgumentException("'" + text + "' is not of the form SHARE:KEYS");
    }
    double share;
    int count;
    try {
      share = Double.parseDouble(text.substring(0, colon));
      count = Integer.parseInt(text.substring(colon + 1));
    } catch (NumberFormatException notNumbers) {
      throw new IllegalArgumentException(
          "'" + text + "' is not of the form SHARE:KEYS", notNumbers);
    }
    return new HotKeys(share, count);
  }

  /** As {@link #parse} reads it. */
  @Override
  public String toString() {
    return DataSet.plain(share) + ":" + count;
  }
}
