// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ndp.engine.split.SplitBytes;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A text on its way into a pipe, without lines that are too long. The engine refuses those of a
 * file; of a pipe it leaves the last one out, and says nothing, when it has several of its buffers.
 * Looks at little of what passes.
 *
 * @param text closed by its owner
 */
record LimitedLines(SplitBytes text) implements SplitBytes {

  /** The engine's limit in a file. */
  private static final int MOST_BYTES = 2_000_000;

  @Override
  public String name() {
    return text.name();
  }

  @Override
  public long size() throws IOException {
    return text.size();
  }

  /**
   * {@inheritDoc}
   *
   * <p>Reads of it throw {@link NdpEngineException} when a line is too long.
   */
  @Override
  public InputStream open(long position, long length) throws IOException {
    return new Lines(text.open(position, length), text.name(), position);
  }

  @Override
  public void close() throws IOException {
    text.close();
  }

  private static final class Lines extends FilterInputStream {

    private final String name;
    private long position;

    /** Where the last line begins that has begun. */
    private long begin;

    Lines(InputStream in, String name, long position) {
      super(in);
      this.name = name;
      this.position = position;
      this.begin = position;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      // Lines that lie in one piece are not too long.
      int count = in.read(target, offset, Math.min(length, MOST_BYTES));
      if (count > 0) {
        pass(target, offset, offset + count);
      }
      return count;
    }

    private void pass(byte[] bytes, int from, int to) {
      int first = from;
      while (first < to && bytes[first] != '\n') {
        first++;
      }
      requireShort(position + first - from);
      position += to - from;
      if (first < to) {
        int last = to - 1;
        while (bytes[last] != '\n') {
          last--;
        }
        begin = position - (to - 1 - last);
        requireShort(position);
      }
    }

    private void requireShort(long end) {
      if (end - begin > MOST_BYTES) {
        throw new NdpEngineException(
            "the line at byte "
                + begin
                + " of the text of "
                + name
                + " has more than "
                + MOST_BYTES
                + " bytes, the most of a line");
      }
    }
  }
}
