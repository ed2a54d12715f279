// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.text;

import dev.anemone.ir.relational.RowType;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * A file of lines that is made one which can be read in one way only. A line ends with LF, CRLF or
 * CR. As long as all lines are plain the file stays as it is; from the first other one on it is
 * written anew, beside, and then put into its place. For one thread.
 */
public final class LineFile {

  private static final int BUFFER_BYTES = 1 << 18;

  /** As long as the engine takes a line to be one. */
  private static final int LONGEST_LINE_BYTES = 2_000_000;

  private static final byte[] MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private final Path file;
  private final LineRows rows;
  private final PlainLine plain;
  private final boolean begins;
  private final LongConsumer watch;
  private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();

  /** Bytes of the file that are not looked at yet, or in the middle of a line, are in it. */
  private byte[] buffer = new byte[BUFFER_BYTES];

  private int buffered;
  private boolean ended;
  private long line;
  private String lineEnd = "";

  /** Bytes of the file up to which lines are in place. */
  private long done;

  private OutputStream written;

  /**
   * A file.
   *
   * @param file may be a link; the file that it leads to stays as it is
   * @param begins whether its first line is the first of its table's file, before which a mark of
   *     the byte order is no part of it
   * @param watch told how many bytes are about to be written; what it throws is passed on
   */
  public LineFile(
      Path file, RowType columns, TextDialect dialect, boolean begins, LongConsumer watch) {
    this.file = file;
    this.rows = new LineRows(columns, dialect);
    this.plain = new PlainLine(columns, dialect);
    this.begins = begins;
    this.watch = watch;
  }

  /**
   * Checks all lines, and writes anew what has to be.
   *
   * @throws BadLineException when one is no row of the table
   */
  public void settle() throws IOException, BadLineException {
    Path beside = file.resolveSibling(file.getFileName() + "-settled");
    try (InputStream in = Files.newInputStream(file)) {
      int from = 0;
      while (from < buffered || fill(in, from)) {
        from = lines(in, from, beside);
      }
    } finally {
      if (written != null) {
        written.close();
      }
    }
    if (written != null) {
      Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Takes the lines that are in the buffer, and gives where the next one begins. */
  private int lines(InputStream in, int start, Path beside) throws IOException, BadLineException {
    int from = start;
    int to = from;
    while (true) {
      while (to < buffered && buffer[to] != '\n' && buffer[to] != '\r') {
        to++;
      }
      // Whether a line feed follows a carriage return is seen only with one more byte.
      boolean open = to == buffered || (buffer[to] == '\r' && to + 1 == buffered);
      if (open && !ended) {
        int length = to - from;
        requireShort(length, line + 1);
        fill(in, from);
        from = 0;
        to = length;
        continue;
      }
      if (to == from && to == buffered) {
        return from;
      }
      int next = next(to);
      line(from, to, next, beside);
      from = next;
      to = next;
    }
  }

  private int next(int end) {
    if (end == buffered) {
      return end;
    }
    boolean both = buffer[end] == '\r' && end + 1 < buffered && buffer[end + 1] == '\n';
    return both ? end + 2 : end + 1;
  }

  private void line(int start, int to, int next, Path beside) throws IOException, BadLineException {
    line++;
    requireShort(to - start, line);
    int from = start;
    boolean marked =
        begins
            && line == 1
            && to - from >= MARK.length
            && Arrays.equals(buffer, from, from + MARK.length, MARK, 0, MARK.length);
    if (line == 1) {
      lineEnd = next - to == 2 ? "\r\n" : "\n";
    }
    boolean ends = to == next || isLineEnd(to, next);
    if (marked) {
      from += MARK.length;
    }
    String decoded = isAscii(from, to) ? null : decoded(from, to);
    boolean asItIs = ends && !marked && plain.is(buffer, from, to);
    if (asItIs) {
      if (written != null) {
        watch.accept(next - from);
        written.write(buffer, from, next - from);
      }
    } else {
      String text =
          decoded == null
              ? new String(buffer, from, to - from, StandardCharsets.US_ASCII)
              : decoded;
      String anew = rows.written(text, line, lineEnd);
      begin(beside);
      byte[] bytes = anew.getBytes(StandardCharsets.UTF_8);
      watch.accept(bytes.length);
      written.write(bytes);
    }
    done += next - start;
  }

  private static void requireShort(int length, long line) throws BadLineException {
    if (length > LONGEST_LINE_BYTES) {
      throw new BadLineException(
          line, "it has more than " + LONGEST_LINE_BYTES + " bytes, the most of a line", null);
    }
  }

  private boolean isLineEnd(int to, int next) {
    return next - to == lineEnd.length() && (next - to == 2 || buffer[to] == '\n');
  }

  private boolean isAscii(int from, int to) {
    for (int i = from; i < to; i++) {
      if (buffer[i] < 0) {
        return false;
      }
    }
    return true;
  }

  private String decoded(int from, int to) throws BadLineException {
    ByteBuffer bytes = ByteBuffer.wrap(buffer, from, to - from);
    try {
      return decoder.decode(bytes).toString();
    } catch (CharacterCodingException e) {
      throw new BadLineException(
          line, "byte " + (bytes.position() - from + 1) + " of it is not UTF-8", e);
    }
  }

  /** Writes anew from here on: what came before is copied. */
  private void begin(Path beside) throws IOException {
    if (written != null) {
      return;
    }
    written = new BufferedOutputStream(Files.newOutputStream(beside), BUFFER_BYTES);
    try (InputStream before = Files.newInputStream(file)) {
      byte[] piece = new byte[BUFFER_BYTES];
      long left = done;
      while (left > 0) {
        int read = before.readNBytes(piece, 0, (int) Math.min(piece.length, left));
        if (read == 0) {
          throw new IOException(
              "the file became shorter than " + done + " bytes while it was read");
        }
        watch.accept(read);
        written.write(piece, 0, read);
        left -= read;
      }
    }
  }

  /** Reads on behind what is kept from an index on, which comes to the beginning of the buffer. */
  private boolean fill(InputStream in, int from) throws IOException {
    int kept = buffered - from;
    if (from == 0 && kept == buffer.length) {
      buffer = Arrays.copyOf(buffer, 2 * buffer.length);
    } else {
      System.arraycopy(buffer, from, buffer, 0, kept);
    }
    watch.accept(0);
    int read = in.readNBytes(buffer, kept, buffer.length - kept);
    buffered = kept + read;
    ended = buffered < buffer.length;
    return read > 0;
  }
}
