// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.row;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.apache.beam.sdk.util.VarInt;

/**
 * The exact sum of floating-point numbers and of their products: a whole number of units, where the
 * unit is the least power of two that was needed. Not thread-safe.
 */
public final class BinarySum implements NumberSum {
  private static final int FRACTION_BITS = 52;
  private static final long FRACTION = (1L << FRACTION_BITS) - 1;

  private long count;
  private boolean finite = true;
  private BigInteger units = BigInteger.ZERO;

  /** The logarithm of the unit, to the base of two. */
  private int exponent;

  @Override
  public void add(Number value) {
    double number = value.doubleValue();
    count++;
    if (Double.isFinite(number)) {
      addUnits(significand(number), exponent(number));
    } else {
      finite = false;
    }
  }

  @Override
  public void addProduct(Number value, Number other) {
    double first = value.doubleValue();
    double second = other.doubleValue();
    count++;
    if (Double.isFinite(first) && Double.isFinite(second)) {
      addUnits(
          significand(first).multiply(significand(second)), exponent(first) + exponent(second));
    } else {
      finite = false;
    }
  }

  /** A finite number is this many times the power of two of its {@link #exponent(double)}. */
  private static BigInteger significand(double number) {
    long bits = Double.doubleToRawLongBits(number);
    long fraction = bits & FRACTION;
    long significand =
        Math.getExponent(number) < Double.MIN_EXPONENT ? fraction : fraction + FRACTION + 1;
    return BigInteger.valueOf(bits < 0 ? -significand : significand);
  }

  private static int exponent(double number) {
    return Math.max(Math.getExponent(number), Double.MIN_EXPONENT) - FRACTION_BITS;
  }

  private void addUnits(BigInteger number, int unit) {
    if (number.signum() == 0) {
      return;
    }
    if (units.signum() == 0) {
      units = number;
      exponent = unit;
    } else if (unit >= exponent) {
      units = units.add(number.shiftLeft(unit - exponent));
    } else {
      units = units.shiftLeft(exponent - unit).add(number);
      exponent = unit;
    }
  }

  @Override
  public void merge(NumberSum other) {
    BinarySum that = (BinarySum) other;
    count += that.count;
    finite &= that.finite;
    addUnits(that.units, that.exponent);
  }

  @Override
  public long count() {
    return count;
  }

  /** Whether there is a sum: neither an infinite number nor NaN was added. */
  public boolean isFinite() {
    return finite;
  }

  /** The sum of the finite numbers; zero of none. */
  @Override
  public BigDecimal sum() {
    if (exponent >= 0) {
      return new BigDecimal(units.shiftLeft(exponent));
    }
    int zeros = units.signum() == 0 ? -exponent : Math.min(units.getLowestSetBit(), -exponent);
    int scale = -exponent - zeros;
    // A number of 2^-n is five to the power of n as many of 10^-n.
    return new BigDecimal(
        units.shiftRight(zeros).multiply(BigInteger.valueOf(5).pow(scale)), scale);
  }

  @Override
  public void write(OutputStream out) throws IOException {
    VarInt.encode(count, out);
    out.write(finite ? 1 : 0);
    ColumnCodec.writeLong(exponent, out);
    ColumnCodec.writeBytes(units.toByteArray(), out);
  }

  public static BinarySum read(InputStream in) throws IOException {
    BinarySum sum = new BinarySum();
    sum.count = VarInt.decodeLong(in);
    sum.finite = in.read() == 1;
    sum.exponent = (int) ColumnCodec.readLong(in);
    sum.units = new BigInteger(ColumnCodec.readBytes(in));
    return sum;
  }
}
