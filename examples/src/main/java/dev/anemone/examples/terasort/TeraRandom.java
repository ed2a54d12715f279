// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import java.math.BigInteger;

/**
 * The random numbers of <i>gensort</i>: a linear congruential generator of 128 bits,
 * <i>x</i><sub>n+1</sub> = <i>a x</i><sub>n</sub> + <i>c</i> mod 2<sup>128</sup> from
 * <i>x</i><sub>0</sub> = 0. Record <i>n</i> is made from <i>x</i><sub>n+1</sub>. Not thread-safe.
 */
final class TeraRandom {
  private static final long MULTIPLIER_HIGH = 0x2360ED051FC65DA4L;
  private static final long MULTIPLIER_LOW = 0x4385DF649FCCF645L;
  private static final long INCREMENT_HIGH = 0x4A696D4772617952L;
  private static final long INCREMENT_LOW = 0x4950202020202001L;
  private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(128);

  private long high;
  private long low;

  /**
   * A generator whose first {@link #advance} leads to the number of a record, whatever its place: a
   * closed form skips what comes before.
   *
   * @param firstRecord number of a record, from 0
   */
  TeraRandom(long firstRecord) {
    // After n steps: c (a^n - 1) / (a - 1). The quotient is wanted mod 2^128, so the power is taken
    // modulo (a - 1) times that.
    BigInteger multiplier = unsigned(MULTIPLIER_HIGH, MULTIPLIER_LOW);
    BigInteger divisor = multiplier.subtract(BigInteger.ONE);
    BigInteger state =
        multiplier
            .modPow(BigInteger.valueOf(firstRecord), MODULUS.multiply(divisor))
            .subtract(BigInteger.ONE)
            .divide(divisor)
            .multiply(unsigned(INCREMENT_HIGH, INCREMENT_LOW));
    high = state.shiftRight(Long.SIZE).longValue();
    low = state.longValue();
  }

  /** Goes on to the next number. */
  void advance() {
    long productHigh =
        unsignedMultiplyHigh(low, MULTIPLIER_LOW) + high * MULTIPLIER_LOW + low * MULTIPLIER_HIGH;
    long sumLow = low * MULTIPLIER_LOW + INCREMENT_LOW;
    int carry = Long.compareUnsigned(sumLow, INCREMENT_LOW) < 0 ? 1 : 0;
    high = productHigh + INCREMENT_HIGH + carry;
    low = sumLow;
  }

  /** The upper 64 bits of the number. */
  long high() {
    return high;
  }

  /** The lower 64 bits of the number. */
  long low() {
    return low;
  }

  /** The upper 64 bits of an unsigned product, which Java 17 has for signed factors only. */
  private static long unsignedMultiplyHigh(long left, long right) {
    return Math.multiplyHigh(left, right) + ((left >> 63) & right) + ((right >> 63) & left);
  }

  private static BigInteger unsigned(long high, long low) {
    return new BigInteger(Long.toUnsignedString(high))
        .shiftLeft(Long.SIZE)
        .add(new BigInteger(Long.toUnsignedString(low)));
  }
}
