// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class TeraRandomTest {
  private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(128);
  private static final BigInteger MULTIPLIER =
      new BigInteger("2360ED051FC65DA44385DF649FCCF645", 16);
  private static final BigInteger INCREMENT =
      new BigInteger("4A696D47726179524950202020202001", 16);

  @Test
  void theNumbersFollowTheRecurrence() {
    TeraRandom random = new TeraRandom(0);
    BigInteger expected = BigInteger.ZERO;
    for (int i = 0; i < 10_000; i++) {
      expected = expected.multiply(MULTIPLIER).add(INCREMENT).mod(MODULUS);
      random.advance();
      assertThat(random.high()).isEqualTo(expected.shiftRight(64).longValue());
      assertThat(random.low()).isEqualTo(expected.longValue());
    }
  }

  @Property(tries = 200)
  void enteringLaterIsTheSameAsGoingOn(
      @ForAll @LongRange(min = 0, max = Long.MAX_VALUE / 100 - 50) long start,
      @ForAll @IntRange(max = 50) int steps) {
    TeraRandom goingOn = new TeraRandom(start);
    for (int i = 0; i < steps; i++) {
      goingOn.advance();
    }
    TeraRandom entering = new TeraRandom(start + steps);

    assertThat(entering.high()).isEqualTo(goingOn.high());
    assertThat(entering.low()).isEqualTo(goingOn.low());
  }
}
