// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.row;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.apache.beam.sdk.util.VarInt;

/**
 * The exact sum of decimals, and how many they are. The sum is an unscaled {@code long} as long as
 * it fits and all values have at most as many digits behind the point as the first ones; what does
 * not fit goes to a {@link BigDecimal} beside it. Not thread-safe.
 */
public final class ExactSum implements NumberSum {
  private static final int LONG_DIGITS = 18;

  private long count;
  private int scale;
  private long unscaled;
  private BigDecimal rest = BigDecimal.ZERO;

  /** Whether {@link #unscaled(BigDecimal)} has all digits of a decimal. */
  static boolean isCompact(BigDecimal value) {
    return value.precision() <= LONG_DIGITS;
  }

  /** The digits of a compact decimal, without its point. */
  static long unscaled(BigDecimal value) {
    // unscaledValue() would make a BigInteger; this stays on the stack.
    return value.scaleByPowerOfTen(value.scale()).longValue();
  }

  /** Adds a decimal or a whole number. */
  @Override
  public void add(Number value) {
    if (value instanceof BigDecimal decimal) {
      add(decimal);
    } else {
      add(value.longValue());
    }
  }

  @Override
  public void addProduct(Number value, Number other) {
    if (value instanceof BigDecimal || other instanceof BigDecimal) {
      add(decimal(value).multiply(decimal(other)));
    } else {
      addProduct(value.longValue(), other.longValue());
    }
  }

  private static BigDecimal decimal(Number value) {
    return value instanceof BigDecimal decimal ? decimal : BigDecimal.valueOf(value.longValue());
  }

  private void addProduct(long value, long other) {
    long product = value * other;
    if (Math.multiplyHigh(value, other) == product >> (Long.SIZE - 1)) {
      add(product);
    } else {
      add(BigDecimal.valueOf(value).multiply(BigDecimal.valueOf(other)));
    }
  }

  /** Adds a decimal. */
  public void add(BigDecimal value) {
    count++;
    addDecimal(value);
  }

  /** Adds a whole number. */
  public void add(long value) {
    count++;
    if (scale == 0) {
      addUnscaled(value);
    } else {
      addDecimal(BigDecimal.valueOf(value));
    }
  }

  private void addDecimal(BigDecimal value) {
    if (value.scale() == scale && isCompact(value)) {
      addUnscaled(unscaled(value));
    } else if (value.scale() > scale && isCompact(value)) {
      BigDecimal before = BigDecimal.valueOf(unscaled, scale);
      scale = value.scale();
      unscaled = unscaled(value);
      addDecimal(before.setScale(scale));
    } else if (value.scale() >= 0 && value.scale() < scale && isCompact(value)) {
      BigDecimal scaled = value.setScale(scale);
      if (isCompact(scaled)) {
        addUnscaled(unscaled(scaled));
      } else {
        rest = rest.add(value);
      }
    } else {
      rest = rest.add(value);
    }
  }

  private void addUnscaled(long digits) {
    long sum = unscaled + digits;
    if (((unscaled ^ sum) & (digits ^ sum)) < 0) {
      rest = rest.add(BigDecimal.valueOf(unscaled, scale));
      unscaled = digits;
    } else {
      unscaled = sum;
    }
  }

  @Override
  public void merge(NumberSum other) {
    ExactSum that = (ExactSum) other;
    count += that.count;
    addDecimal(BigDecimal.valueOf(that.unscaled, that.scale));
    rest = rest.add(that.rest);
  }

  @Override
  public long count() {
    return count;
  }

  @Override
  public BigDecimal sum() {
    return rest.add(BigDecimal.valueOf(unscaled, scale));
  }

  @Override
  public void write(OutputStream out) throws IOException {
    VarInt.encode(count, out);
    ColumnCodec.writeLong(scale, out);
    ColumnCodec.writeLong(unscaled, out);
    boolean hasRest = rest.signum() != 0;
    out.write(hasRest ? 1 : 0);
    if (hasRest) {
      ColumnCodec.writeLong(rest.scale(), out);
      ColumnCodec.writeBytes(rest.unscaledValue().toByteArray(), out);
    }
  }

  public static ExactSum read(InputStream in) throws IOException {
    ExactSum sum = new ExactSum();
    sum.count = VarInt.decodeLong(in);
    sum.scale = (int) ColumnCodec.readLong(in);
    sum.unscaled = ColumnCodec.readLong(in);
    if (in.read() == 1) {
      int restScale = (int) ColumnCodec.readLong(in);
      sum.rest = new BigDecimal(new BigInteger(ColumnCodec.readBytes(in)), restScale);
    }
    return sum;
  }
}
