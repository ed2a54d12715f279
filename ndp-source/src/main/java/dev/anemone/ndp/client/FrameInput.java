// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.client;

import dev.anemone.ndp.client.ProxyException.Kind;
import dev.anemone.ndp.protocol.AnswerFrames;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * The bytes of an answer out of its frames. They end where the last frame says that all have
 * arrived, and in any other way by a {@link ProxyException}.
 */
final class FrameInput extends InputStream {

  private final DataInputStream body;
  private final long maxBytes;
  private final CRC32C checksum = new CRC32C();
  private long bytes;
  private int left;
  private long rows = -1;

  /**
   * @param body closed with this
   * @param maxBytes largest answer
   */
  FrameInput(InputStream body, long maxBytes) {
    this.body = new DataInputStream(body);
    this.maxBytes = maxBytes;
  }

  /** Whether the last frame has been read, and is right. */
  boolean isVerified() {
    return rows >= 0;
  }

  /** Rows that the last frame has counted. */
  long rows() {
    return rows;
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
    try {
      if (left == 0 && !isVerified()) {
        nextFrame();
      }
      if (isVerified()) {
        return -1;
      }
      int count = body.read(target, offset, Math.min(left, length));
      if (count < 0) {
        throw ProxyException.brokenOff("the answer broke off after " + bytes + " bytes");
      }
      checksum.update(target, offset, count);
      bytes += count;
      left -= count;
      return count;
    } catch (ProxyException e) {
      throw e;
    } catch (IOException e) {
      throw ProxyException.ofReading(
          "the answer broke off after " + bytes + " bytes: " + e.getMessage(), e);
    }
  }

  private void nextFrame() throws IOException {
    int length = body.readInt();
    if (length == AnswerFrames.END) {
      verify();
    } else if (length == AnswerFrames.FAILED) {
      int size = body.readInt();
      if (size < 0 || size > AnswerFrames.MAX_REASON_BYTES) {
        throw ProxyException.brokenOff("the answer failed for a reason of " + size + " bytes");
      }
      String reason = new String(body.readNBytes(size), StandardCharsets.UTF_8);
      throw new ProxyException(Kind.FAILED, "the plan failed at the proxy: " + reason, null);
    } else if (length < 0 || length > AnswerFrames.MAX_FRAME_BYTES) {
      throw ProxyException.brokenOff("the answer has a frame of " + length + " bytes");
    } else if (length > maxBytes - bytes) {
      throw ProxyException.brokenOff(
          "the answer has more than " + maxBytes + " bytes, which are all that may come");
    }
    left = length;
  }

  private void verify() throws IOException {
    long sentRows = body.readLong();
    long sentBytes = body.readLong();
    int sentChecksum = body.readInt();
    if (sentBytes != bytes || sentChecksum != (int) checksum.getValue() || sentRows < 0) {
      throw ProxyException.brokenOff(
          "the answer is damaged: "
              + bytes
              + " bytes with checksum "
              + Integer.toHexString((int) checksum.getValue())
              + " came, "
              + sentBytes
              + " with "
              + Integer.toHexString(sentChecksum)
              + " were sent");
    }
    rows = sentRows;
  }

  @Override
  public void close() throws IOException {
    body.close();
  }
}
