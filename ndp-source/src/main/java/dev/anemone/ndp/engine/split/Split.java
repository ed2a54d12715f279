// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.split;

/**
 * A range of a file. Ranges that cover a file without overlap have each record in exactly one of
 * them.
 *
 * @param start first byte
 * @param length in bytes; what lies beyond the end of the file is left out
 */
public record Split(long start, long length) {

  /** Everything. */
  public static final Split WHOLE = new Split(0, Long.MAX_VALUE);

  public Split {
    if (start < 0 || length < 0) {
      throw new IllegalArgumentException(
          "a split starts at " + start + " and has " + length + " bytes; neither can be negative");
    }
  }

  /** The byte after the last one. */
  public long end() {
    long end = start + length;
    return end < 0 ? Long.MAX_VALUE : end;
  }

  /** Whether a byte lies in the split. */
  public boolean contains(long offset) {
    return offset >= start && offset < end();
  }
}
