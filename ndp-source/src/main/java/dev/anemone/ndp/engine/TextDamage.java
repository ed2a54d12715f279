// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ndp.engine.split.SplitBytes;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.format.FileFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Finds the line of a file of text that is not UTF-8, which the engine counts from its split. */
final class TextDamage {

  private static final int BUFFER_BYTES = 1 << 16;

  private TextDamage() {}

  /**
   * The first such line, counted from 1, for a plan that has failed: reads all before it.
   *
   * @param name of the file for people
   */
  static Optional<String> find(FileFormat format, SplitBytes file, String name) throws IOException {
    if (format instanceof CsvFormat csv && csv.compression() != CsvFormat.Compression.NONE) {
      return Optional.empty();
    }
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer bytes = ByteBuffer.allocate(BUFFER_BYTES);
    CharBuffer chars = CharBuffer.allocate(BUFFER_BYTES);
    long line = 1;
    try (InputStream input = file.open(0, file.size())) {
      boolean atEnd = false;
      while (!atEnd) {
        int read = input.read(bytes.array(), bytes.position(), bytes.remaining());
        atEnd = read < 0;
        bytes.position(bytes.position() + Math.max(0, read)).flip();
        CoderResult result = decoder.decode(bytes, chars.clear(), atEnd);
        for (int i = 0; i < bytes.position(); i++) {
          line += bytes.get(i) == '\n' ? 1 : 0;
        }
        if (result.isMalformed()) {
          return Optional.of("line " + line + " of " + name + ", which is not UTF-8");
        }
        bytes.compact();
      }
    }
    return Optional.empty();
  }
}
