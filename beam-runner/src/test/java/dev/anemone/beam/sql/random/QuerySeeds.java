// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.random;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.function.ThrowingConsumer;

/**
 * Tests of random queries: as many as {@code anemone.sql.queries} says, from the seed {@code
 * anemone.sql.seed} on, which may be {@code today}. Each batch is a test of its own, so that many
 * of them are not taken for one that hangs.
 */
public final class QuerySeeds {

  private QuerySeeds() {}

  /**
   * A test for each seed.
   *
   * @param queries if nobody says how many
   * @param together how many there are of a seed
   */
  public static Stream<DynamicTest> tests(int queries, int together, ThrowingConsumer<Long> test) {
    int wanted = Integer.getInteger("anemone.sql.queries", queries);
    String seed = System.getProperty("anemone.sql.seed", "1");
    long first =
        seed.equals("today")
            ? LocalDate.now(ZoneOffset.UTC).toEpochDay() * 1000
            : Long.parseLong(seed);
    return Stream.iterate(first, next -> next + 1)
        .limit((wanted + together - 1) / together)
        .map(next -> DynamicTest.dynamicTest("seed " + next, () -> test.accept(next)));
  }
}
