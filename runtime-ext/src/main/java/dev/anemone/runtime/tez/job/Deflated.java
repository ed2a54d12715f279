// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/** Small pieces of bytes, compressed as RFC 1951 says, with bytes that are much like them. */
final class Deflated {

  static final byte[] NO_DICTIONARY = {};

  /** How far back compressed bytes can refer. */
  static final int MOST_DICTIONARY_BYTES = 32 << 10;

  private Deflated() {}

  /** Compresses bytes. */
  static byte[] deflate(byte[] bytes, byte[] dictionary) throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
    try {
      deflater.setDictionary(dictionary);
      try (OutputStream out = new DeflaterOutputStream(compressed, deflater)) {
        out.write(bytes);
      }
    } finally {
      deflater.end();
    }
    return compressed.toByteArray();
  }

  /**
   * What was compressed.
   *
   * @param dictionary the one that {@link #deflate} had
   * @throws IOException when the bytes cannot be those of {@link #deflate}
   */
  static byte[] inflate(byte[] compressed, byte[] dictionary) throws IOException {
    Inflater inflater = new Inflater(true);
    try (InflaterInputStream in =
        new InflaterInputStream(new ByteArrayInputStream(compressed), inflater)) {
      inflater.setDictionary(dictionary);
      return in.readAllBytes();
    } finally {
      inflater.end();
    }
  }
}
