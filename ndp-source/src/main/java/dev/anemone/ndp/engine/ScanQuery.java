// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

/**
 * The query of a scan's rows, with columns {@code c0_0}, {@code c0_1} and so on.
 *
 * @param groups row groups of Parquet that it reads; 0 for other files
 * @param skipped row groups that it leaves out, because the plan wants none of their rows
 */
record ScanQuery(String sql, int groups, int skipped) {

  /** Of what has no row groups. */
  static ScanQuery of(String sql) {
    return new ScanQuery(sql, 0, 0);
  }
}
