// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.row;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.SchemaCoder;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.util.VarInt;
import org.joda.time.Instant;
import org.joda.time.ReadableInstant;

/**
 * Codes the values of one type, without NULL: whole numbers, dates and timestamps as
 * variable-length integers with the sign in the lowest bit, decimals as scale and unscaled value.
 * Equal objects have equal bytes. Thread-safe.
 */
public abstract sealed class ColumnCodec {

  /** Writes a value. */
  public abstract void write(Object value, OutputStream out) throws IOException;

  /** Reads what {@link #write} wrote. */
  public abstract Object read(InputStream in) throws IOException;

  /** The codec of a type of fields. */
  public static ColumnCodec of(FieldType type) {
    return switch (type.getTypeName()) {
      case BYTE, INT16, INT32, INT64, BOOLEAN, DATETIME -> new Whole(Kind.of(type));
      case STRING -> new Text();
      case DECIMAL -> new Decimal();
      case LOGICAL_TYPE ->
          type.isLogicalType(SqlTypes.DATE.getIdentifier())
              ? new Whole(Kind.DATE)
              : new Other(type);
      default -> new Other(type);
    };
  }

  static void writeLong(long value, OutputStream out) throws IOException {
    VarInt.encode((value << 1) ^ (value >> 63), out);
  }

  static long readLong(InputStream in) throws IOException {
    long coded = VarInt.decodeLong(in);
    return (coded >>> 1) ^ -(coded & 1);
  }

  /** The types whose values are a whole number. */
  private enum Kind {
    BYTE,
    INT16,
    INT32,
    INT64,
    BOOLEAN,
    DATETIME,
    DATE;

    static Kind of(FieldType type) {
      return valueOf(type.getTypeName().name());
    }
  }

  private static final class Whole extends ColumnCodec {
    private final Kind kind;

    Whole(Kind kind) {
      this.kind = kind;
    }

    @Override
    public void write(Object value, OutputStream out) throws IOException {
      writeLong(
          switch (kind) {
            case BYTE, INT16, INT32, INT64 -> ((Number) value).longValue();
            case BOOLEAN -> (Boolean) value ? 1 : 0;
            case DATETIME -> ((ReadableInstant) value).getMillis();
            case DATE -> ((LocalDate) value).toEpochDay();
          },
          out);
    }

    @Override
    public Object read(InputStream in) throws IOException {
      long number = readLong(in);
      return switch (kind) {
        case BYTE -> (byte) number;
        case INT16 -> (short) number;
        case INT32 -> (int) number;
        case INT64 -> number;
        case BOOLEAN -> number != 0;
        case DATETIME -> Instant.ofEpochMilli(number);
        case DATE -> LocalDate.ofEpochDay(number);
      };
    }
  }

  private static final class Text extends ColumnCodec {
    @Override
    public void write(Object value, OutputStream out) throws IOException {
      writeBytes(((String) value).getBytes(StandardCharsets.UTF_8), out);
    }

    @Override
    public Object read(InputStream in) throws IOException {
      return new String(readBytes(in), StandardCharsets.UTF_8);
    }
  }

  static void writeBytes(byte[] bytes, OutputStream out) throws IOException {
    VarInt.encode(bytes.length, out);
    out.write(bytes);
  }

  static byte[] readBytes(InputStream in) throws IOException {
    int length = VarInt.decodeInt(in);
    byte[] bytes = new byte[length];
    int read = in.readNBytes(bytes, 0, length);
    if (read < length) {
      throw new EOFException("a value of " + length + " bytes ends after " + read);
    }
    return bytes;
  }

  /** Twice the scale, plus one if the unscaled value does not fit into 18 digits. */
  static final class Decimal extends ColumnCodec {
    @Override
    public void write(Object value, OutputStream out) throws IOException {
      BigDecimal decimal = (BigDecimal) value;
      if (ExactSum.isCompact(decimal)) {
        writeLong(decimal.scale() * 2L, out);
        writeLong(ExactSum.unscaled(decimal), out);
      } else {
        writeLong(decimal.scale() * 2L + 1, out);
        writeBytes(decimal.unscaledValue().toByteArray(), out);
      }
    }

    @Override
    public Object read(InputStream in) throws IOException {
      long head = readLong(in);
      int scale = (int) (head >> 1);
      return (head & 1) == 0
          ? BigDecimal.valueOf(readLong(in), scale)
          : new BigDecimal(new BigInteger(readBytes(in)), scale);
    }
  }

  /** As Beam codes fields of the type. */
  private static final class Other extends ColumnCodec {
    private final Coder<Object> coder;

    Other(FieldType type) {
      coder = SchemaCoder.coderForFieldType(type.withNullable(false));
    }

    @Override
    public void write(Object value, OutputStream out) throws IOException {
      coder.encode(value, out);
    }

    @Override
    public Object read(InputStream in) throws IOException {
      return coder.decode(in);
    }
  }
}
