// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.announcement;

import dev.anemone.runtime.transfer.announcement.BlockAnnouncement.Pushed;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * How an announcement codes what was pushed to whom. The master has that of each producer, and
 * sends it to each aggregation task. It says nearly the same of all of these, so it is compressed
 * to a few bytes where they are many.
 */
final class PushedBytes {

  /** What is shorter does not become so by compression. */
  private static final int LEAST_COMPRESSED = 64;

  /** No byte of zlib's stands for more than these. */
  private static final long MOST_RATIO = 1032;

  private PushedBytes() {}

  static void write(List<Pushed> pushed, DataOutputStream out) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream raw = new DataOutputStream(bytes);
    CompactBytes.write(pushed.size(), raw);
    int last = -1;
    for (Pushed each : pushed) {
      // Mostly the next one; a step back is a large number.
      CompactBytes.write(each.task() - last, raw);
      CompactBytes.write(each.attempt(), raw);
      CompactBytes.write(each.batches(), raw);
      last = each.task();
    }
    byte[] plain = bytes.toByteArray();
    if (plain.length < LEAST_COMPRESSED) {
      CompactBytes.write(0, out);
      out.write(plain);
      return;
    }
    byte[] packed = deflated(plain);
    CompactBytes.write(plain.length, out);
    CompactBytes.write(packed.length, out);
    out.write(packed);
  }

  private static byte[] deflated(byte[] plain) {
    Deflater deflater = new Deflater();
    try {
      deflater.setInput(plain);
      deflater.finish();
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      byte[] piece = new byte[256];
      while (!deflater.finished()) {
        packed.write(piece, 0, deflater.deflate(piece));
      }
      return packed.toByteArray();
    } finally {
      deflater.end();
    }
  }

  /** What was written. */
  static List<Pushed> read(ByteBuffer in) {
    int plainLength = CompactBytes.readInt(in);
    if (plainLength == 0) {
      return plain(in);
    }
    int packedLength = CompactBytes.readInt(in);
    if (plainLength < 0 || plainLength > MOST_RATIO * packedLength) {
      throw new IndexOutOfBoundsException("what was pushed has " + plainLength + " bytes");
    }
    ByteBuffer packed = in.slice(in.position(), packedLength);
    in.position(in.position() + packedLength);
    return plain(inflated(packed, plainLength));
  }

  private static ByteBuffer inflated(ByteBuffer packed, int length) {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(packed);
      ByteBuffer plain = ByteBuffer.allocate(length);
      while (plain.hasRemaining()) {
        if (inflater.inflate(plain) == 0) {
          throw new IndexOutOfBoundsException("what was pushed ends early");
        }
      }
      return plain.flip();
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("what was pushed is not compressed as it says", e);
    } finally {
      inflater.end();
    }
  }

  private static List<Pushed> plain(ByteBuffer in) {
    List<Pushed> pushed = new ArrayList<>();
    int last = -1;
    for (int left = CompactBytes.readInt(in); left > 0; left--) {
      last += CompactBytes.readInt(in);
      pushed.add(new Pushed(last, CompactBytes.readInt(in), CompactBytes.readBits(in)));
    }
    return pushed;
  }
}
