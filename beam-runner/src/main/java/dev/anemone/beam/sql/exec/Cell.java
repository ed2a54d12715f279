// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.exec;

import dev.anemone.beam.sql.codegen.SeveralRowsException;
import dev.anemone.beam.sql.row.ColumnCodec;
import dev.anemone.beam.sql.row.ExactSum;
import dev.anemone.beam.sql.row.ValueOrder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.util.List;
import org.apache.beam.sdk.util.VarInt;
import org.apache.beam.sdk.values.Row;

/**
 * What is kept of one column of a group; several aggregate functions of a column may share it. Not
 * thread-safe.
 */
abstract sealed class Cell {

  /** Adds a value that is not NULL. */
  abstract void add(Object value);

  /** Adds a NULL, which most cells leave out. */
  void addNull() {}

  /** Adds what another cell of the same kind has; that one is not used again. */
  abstract void merge(Cell other);

  abstract void write(OutputStream out) throws IOException;

  /** Counts values. */
  static final class Count extends Cell {
    private long count;

    Count() {}

    private Count(long count) {
      this.count = count;
    }

    @Override
    void add(Object value) {
      count++;
    }

    @Override
    void merge(Cell other) {
      count += ((Count) other).count;
    }

    @Override
    void write(OutputStream out) throws IOException {
      VarInt.encode(count, out);
    }

    static Count read(InputStream in) throws IOException {
      return new Count(VarInt.decodeLong(in));
    }

    long count() {
      return count;
    }
  }

  /** Sums and counts decimals or whole numbers. */
  static final class Exact extends Cell {
    private final boolean whole;
    private final ExactSum sum;

    Exact(boolean whole, ExactSum sum) {
      this.whole = whole;
      this.sum = sum;
    }

    @Override
    void add(Object value) {
      if (whole) {
        sum.add(((Number) value).longValue());
      } else {
        sum.add((BigDecimal) value);
      }
    }

    @Override
    void merge(Cell other) {
      sum.merge(((Exact) other).sum);
    }

    @Override
    void write(OutputStream out) throws IOException {
      sum.write(out);
    }

    ExactSum sum() {
      return sum;
    }
  }

  /** Sums and counts floating-point numbers. */
  static final class Floating extends Cell {
    private long count;
    private double sum;

    Floating() {}

    private Floating(long count, double sum) {
      this.count = count;
      this.sum = sum;
    }

    @Override
    void add(Object value) {
      count++;
      sum += (Double) value;
    }

    @Override
    void merge(Cell other) {
      Floating that = (Floating) other;
      count += that.count;
      sum += that.sum;
    }

    @Override
    void write(OutputStream out) throws IOException {
      VarInt.encode(count, out);
      VarInt.encode(Double.doubleToRawLongBits(sum), out);
    }

    static Floating read(InputStream in) throws IOException {
      long count = VarInt.decodeLong(in);
      return new Floating(count, Double.longBitsToDouble(VarInt.decodeLong(in)));
    }

    long count() {
      return count;
    }

    double sum() {
      return sum;
    }
  }

  /** Sums numbers of two columns, or of one, and their products. */
  static final class Spread extends Cell {
    private final ColumnPair columns;
    private final Moments moments;

    Spread(ColumnPair columns, Moments moments) {
      this.columns = columns;
      this.moments = moments;
    }

    @Override
    void add(Object row) {
      Number first = ((Row) row).getValue(columns.first());
      Number second = columns.isOneColumn() ? first : ((Row) row).getValue(columns.second());
      if (first != null && second != null) {
        moments.add(first, second);
      }
    }

    @Override
    void merge(Cell other) {
      moments.merge(((Spread) other).moments);
    }

    @Override
    void write(OutputStream out) throws IOException {
      moments.write(out);
    }

    Moments moments() {
      return moments;
    }
  }

  /** Keeps the least or the greatest value. */
  static final class Extreme extends Cell {
    private final int sign;
    private final ColumnCodec codec;
    private Object best;

    /**
     * Nothing yet.
     *
     * @param sign 1 for the greatest, -1 for the least
     */
    Extreme(int sign, ColumnCodec codec) {
      this.sign = sign;
      this.codec = codec;
    }

    @Override
    void add(Object value) {
      if (best == null || sign * ValueOrder.compare(value, best) > 0) {
        best = value;
      }
    }

    @Override
    void merge(Cell other) {
      Object that = ((Extreme) other).best;
      if (that != null) {
        add(that);
      }
    }

    @Override
    void write(OutputStream out) throws IOException {
      out.write(best == null ? 0 : 1);
      if (best != null) {
        codec.write(best, out);
      }
    }

    Extreme read(InputStream in) throws IOException {
      if (in.read() == 1) {
        best = codec.read(in);
      }
      return this;
    }

    /** The value, null if there is none. */
    Object best() {
      return best;
    }
  }

  /** Keeps the value of the only row. */
  static final class Only extends Cell {
    private final ColumnCodec codec;
    private boolean found;
    private Object value;

    Only(ColumnCodec codec) {
      this.codec = codec;
    }

    /**
     * Adds the value of a row.
     *
     * @throws SeveralRowsException if there is one already
     */
    @Override
    void add(Object added) {
      addNull();
      value = added;
    }

    @Override
    void addNull() {
      if (found) {
        throw new SeveralRowsException();
      }
      found = true;
    }

    @Override
    void merge(Cell other) {
      Only that = (Only) other;
      if (that.found) {
        addNull();
        value = that.value;
      }
    }

    @Override
    void write(OutputStream out) throws IOException {
      out.write(found ? value == null ? 1 : 2 : 0);
      if (value != null) {
        codec.write(value, out);
      }
    }

    Only read(InputStream in) throws IOException {
      int state = in.read();
      found = state > 0;
      if (state == 2) {
        value = codec.read(in);
      }
      return this;
    }

    /** The value, null if it is NULL or there is no row. */
    Object value() {
      return value;
    }
  }

  /** Keeps the accumulator of a function of Beam's. */
  static final class Other extends Cell {
    private final BeamFunction function;
    private Object accumulator;

    Other(BeamFunction function) {
      this.function = function;
      this.accumulator = function.combine().createAccumulator();
    }

    @Override
    void add(Object row) {
      accumulator = function.combine().addInput(accumulator, function.input((Row) row));
    }

    @Override
    void merge(Cell other) {
      accumulator =
          function.combine().mergeAccumulators(List.of(accumulator, ((Other) other).accumulator));
    }

    @Override
    void write(OutputStream out) throws IOException {
      function.accumulators().encode(accumulator, out);
    }

    Other read(InputStream in) throws IOException {
      accumulator = function.accumulators().decode(in);
      return this;
    }

    /** The function's value, null for NULL. */
    Object value() {
      return function.combine().extractOutput(accumulator);
    }
  }
}
