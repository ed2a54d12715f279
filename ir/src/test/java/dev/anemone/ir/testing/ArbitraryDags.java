// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.testing;

import dev.anemone.ir.IRDag;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Random graphs that break no rule. They shrink to fewer vertices. */
public final class ArbitraryDags {

  private static final int MOST_VERTICES = 12;
  private static final int MOST_EDITS = 6;

  private ArbitraryDags() {}

  /** Graphs as a front end makes them: no properties but what belongs to the program's meaning. */
  public static Arbitrary<IRDag> fromFrontEnd() {
    return seeded((random, size) -> new RandomDag(random).frontEnd(size));
  }

  /** Graphs with all that is needed to run them. */
  public static Arbitrary<IRDag> annotated() {
    return seeded(
        (random, size) -> {
          RandomDag dags = new RandomDag(random);
          return dags.annotated(dags.frontEnd(size));
        });
  }

  /**
   * Graphs with or without properties, into which relays, combiners, recombiners and samplings were
   * put.
   */
  public static Arbitrary<IRDag> edited() {
    return seeded(
        (random, size) -> {
          RandomDag dags = new RandomDag(random);
          IRDag dag = dags.frontEnd(size);
          if (random.nextBoolean()) {
            dag = dags.annotated(dag);
          }
          for (int edits = random.nextInt(MOST_EDITS + 1); edits > 0; edits--) {
            dag = new RandomInsertions(random, dag).next().map(dag::apply).orElse(dag);
          }
          return dag;
        });
  }

  private interface Maker {
    IRDag make(Random random, int vertices);
  }

  private static Arbitrary<IRDag> seeded(Maker maker) {
    return Combinators.combine(
            Arbitraries.integers().between(1, MOST_VERTICES), Arbitraries.longs())
        .as((vertices, seed) -> maker.make(new Random(seed), vertices));
  }
}
