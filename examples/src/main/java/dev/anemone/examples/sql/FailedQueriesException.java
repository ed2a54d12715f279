// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.sql;

import static java.util.stream.Collectors.joining;

import java.util.Map;

/** Some of several queries failed; the others have run. The causes are told one by one before. */
public final class FailedQueriesException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * @param failures what went wrong, by query, in the order in which they ran; at least one
   * @param queries how many queries there were
   */
  FailedQueriesException(Map<? extends BenchmarkQuery, Throwable> failures, int queries) {
    super(
        failures.size()
            + " of "
            + queries
            + " queries failed: "
            + failures.keySet().stream().map(BenchmarkQuery::name).collect(joining(", ")),
        failures.values().iterator().next());
  }
}
