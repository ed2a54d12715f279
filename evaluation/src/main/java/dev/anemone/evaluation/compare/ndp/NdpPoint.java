// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.ndp;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Conditions under which all pushdowns are compared.
 *
 * @param figure what it is a point of
 * @param megabits rate of the link from the storage to the compute side, in millions of bits per
 *     second
 * @param proxyCores plans that a proxy runs at the same time
 * @param queries of TPC-H, which run at the same time
 */
record NdpPoint(String figure, double megabits, int proxyCores, List<Integer> queries) {
  /** Queries one at a time over networks of several rates. */
  static final String BANDWIDTH = "bandwidth";

  /** Several queries at a time, and proxies of several sizes. */
  static final String CONCURRENCY = "concurrency";

  NdpPoint {
    queries = List.copyOf(queries);
  }

  /** The queries as text. */
  String queriesText() {
    return queries.stream().map(number -> "Q" + number).collect(Collectors.joining(" "));
  }

  /** All of it in a line. */
  String describe() {
    return String.format(
        Locale.ROOT,
        "%s, %s Mbit/s, %d proxy core(s)",
        queriesText(),
        NdpTables.number(megabits),
        proxyCores);
  }
}
