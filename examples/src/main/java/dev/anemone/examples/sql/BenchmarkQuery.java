// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.sql;

/** A query of a benchmark, as options and messages call it. */
public interface BenchmarkQuery {

  /** What the benchmark calls it, such as {@code 6} or {@code 14a}. */
  String name();

  /** What files call it, such as {@code q06} or {@code q14a}. */
  String label();
}
