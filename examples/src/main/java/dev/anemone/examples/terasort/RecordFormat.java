// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

/** How a record is made from its number and a random number; both formats are gensort's. */
public enum RecordFormat {
  /** gensort's default: a key of 10 random bytes. */
  BINARY {
    @Override
    public void write(long number, long high, long low, byte[] target, int offset) {
      putBytes(target, offset, high, Long.BYTES);
      putBytes(target, offset + 8, low >>> 48, 2);
      putBytes(target, offset + 10, 0x0011, 2);
      putNumber(target, offset + 12, number);
      putBytes(target, offset + 44, 0x8899AABBL, 4);
      putFiller(target, offset + 48, low, 12);
      putBytes(target, offset + 96, 0xCCDDEEFFL, 4);
    }
  },

  /** {@code gensort -a}: a key of 10 printable characters, in a line that ends with CR LF. */
  ASCII {
    @Override
    public void write(long number, long high, long low, byte[] target, int offset) {
      putCharacters(target, offset, high, 8);
      putCharacters(target, offset + 8, low, 2);
      putBytes(target, offset + 10, SPACES, 2);
      putNumber(target, offset + 12, number);
      putBytes(target, offset + 44, SPACES, 2);
      putFiller(target, offset + 46, low, 13);
      putBytes(target, offset + 98, CARRIAGE_RETURN_LINE_FEED, 2);
    }
  };

  private static final int SPACES = 0x2020;
  private static final int CARRIAGE_RETURN_LINE_FEED = 0x0D0A;
  private static final int NUMBER_DIGITS = 32;
  private static final int FILLER_REPETITIONS = 4;
  private static final int PRINTABLE_CHARACTERS = 95;

  /**
   * Makes a record.
   *
   * @param number number of the record, from 0
   * @param high upper half of the record's random number
   * @param low lower half of the record's random number
   * @param target gets the 100 bytes of the record, from an offset on
   */
  public abstract void write(long number, long high, long low, byte[] target, int offset);

  /** Writes the lowest bytes of a value, the highest of them first. */
  private static void putBytes(byte[] target, int offset, long value, int count) {
    for (int i = 0; i < count; i++) {
      target[offset + i] = (byte) (value >>> (Byte.SIZE * (count - 1 - i)));
    }
  }

  /** Writes a record number of 128 bits, whose upper half is 0, in hexadecimal. */
  private static void putNumber(byte[] target, int offset, long number) {
    for (int i = 0; i < NUMBER_DIGITS; i++) {
      int shift = 4 * (NUMBER_DIGITS - 1 - i);
      target[offset + i] = shift < Long.SIZE ? digit(number >>> shift) : (byte) '0';
    }
  }

  /** Writes the lowest hexadecimal digits of a value, each four times. */
  private static void putFiller(byte[] target, int offset, long value, int digits) {
    int position = offset;
    for (int i = digits - 1; i >= 0; i--) {
      byte digit = digit(value >>> (4 * i));
      for (int repetition = 0; repetition < FILLER_REPETITIONS; repetition++) {
        target[position++] = digit;
      }
    }
  }

  /** Writes the lowest digits of a value to the base 95 as printable characters, lowest first. */
  private static void putCharacters(byte[] target, int offset, long value, int count) {
    long rest = value;
    for (int i = 0; i < count; i++) {
      target[offset + i] = (byte) (' ' + Long.remainderUnsigned(rest, PRINTABLE_CHARACTERS));
      rest = Long.divideUnsigned(rest, PRINTABLE_CHARACTERS);
    }
  }

  private static byte digit(long value) {
    int nibble = (int) value & 0xF;
    return (byte) (nibble < 10 ? '0' + nibble : 'A' + nibble - 10);
  }
}
