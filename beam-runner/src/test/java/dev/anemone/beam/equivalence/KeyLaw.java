// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.equivalence;

import java.util.Random;

/** How the keys of a source are distributed. */
public enum KeyLaw {
  /** One key owns a share of the elements, the argument in percent; the others are alike. */
  HOT {
    @Override
    int draw(Random random, int argument) {
      return random.nextInt(100) < argument ? 0 : 1 + random.nextInt(OTHERS);
    }
  },
  /** Key {@code k} has a share that falls with about {@code 1 / k^2}. */
  ZIPF {
    @Override
    int draw(Random random, int argument) {
      return (int) Math.min(OTHERS, 1 / (1 - random.nextDouble()));
    }
  },
  /** A handful of keys, at most the argument. */
  FEW {
    @Override
    int draw(Random random, int argument) {
      return random.nextInt(1 + argument % 7);
    }
  },
  /** One key. */
  EQUAL {
    @Override
    int draw(Random random, int argument) {
      return argument;
    }
  };

  private static final int OTHERS = 400;

  abstract int draw(Random random, int argument);
}
