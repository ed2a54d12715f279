// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.split;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Objects;

/** The bytes of a local file. */
final class LocalBytes implements SplitBytes {

  private final FileChannel file;

  LocalBytes(Path path) throws IOException {
    this.file = FileChannel.open(path);
  }

  @Override
  public long size() throws IOException {
    return file.size();
  }

  @Override
  public InputStream open(long position, long length) {
    return new Range(file, position, length);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  private static final class Range extends InputStream {

    private final FileChannel file;
    private long position;
    private long left;

    Range(FileChannel file, long position, long length) {
      this.file = file;
      this.position = position;
      this.left = length;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, target.length);
      if (length == 0) {
        return 0;
      }
      int wanted = (int) Math.min(left, length);
      int read = wanted == 0 ? -1 : file.read(ByteBuffer.wrap(target, offset, wanted), position);
      if (read > 0) {
        position += read;
        left -= read;
      }
      return read;
    }
  }
}
