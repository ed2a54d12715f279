// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import dev.anemone.ndp.engine.split.SplitBytes;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/** The bytes of a file of HDFS, read by WebHDFS from a data node with a caller's credentials. */
final class HdfsBytes implements SplitBytes {

  private static final int LONGEST_REASON = 8 << 10;
  private static final long UNKNOWN = DataNodeReceiver.UNKNOWN_LENGTH;

  private final DataNode dataNode;
  private final PlanTarget target;
  private final Map<String, String> credentials;
  private final Duration deadline;
  private long size = UNKNOWN;
  private long read;

  /**
   * @param credentials headers of the caller
   * @param deadline how long a range may take
   */
  HdfsBytes(
      DataNode dataNode, PlanTarget target, Map<String, String> credentials, Duration deadline) {
    this.dataNode = dataNode;
    this.target = target;
    this.credentials = credentials;
    this.deadline = deadline;
  }

  @Override
  public String name() {
    return target.path();
  }

  /** Bytes that were read so far. */
  long bytesRead() {
    return read;
  }

  /**
   * {@inheritDoc}
   *
   * <p>A data node has no other way to say it than how much there is to send.
   *
   * @throws RequestException with what the data node answers, when it refuses
   */
  @Override
  public long size() throws IOException {
    if (size == UNKNOWN) {
      // Only the header was wanted.
      ask(0, Long.MAX_VALUE).close();
    }
    return size;
  }

  @Override
  public InputStream open(long position, long length) throws IOException {
    return new FilterInputStream(ask(position, length)) {
      @Override
      public int read(byte[] bytes, int offset, int count) throws IOException {
        int done = in.read(bytes, offset, count);
        read += Math.max(0, done);
        return done;
      }
    };
  }

  private DataNodeAnswer ask(long position, long length) throws IOException {
    DataNodeAnswer answer =
        dataNode.get(target.rangeAddress(position, length), credentials, deadline);
    if (answer.status() != HttpResponseStatus.OK.code()) {
      try (answer) {
        String reason = new String(answer.readNBytes(LONGEST_REASON), StandardCharsets.UTF_8);
        throw new RequestException(statusFor(answer.status()), reason);
      }
    }
    if (size == UNKNOWN && position == 0 && length == Long.MAX_VALUE) {
      size = answer.length();
      if (size == UNKNOWN) {
        answer.close();
        throw new IOException("the data node does not say how long " + target.path() + " is");
      }
    }
    return answer;
  }

  /** Redirects and the like would not mean to the caller what they mean to the proxy. */
  private static int statusFor(int status) {
    return status >= HttpResponseStatus.BAD_REQUEST.code()
        ? status
        : HttpResponseStatus.BAD_GATEWAY.code();
  }

  @Override
  public void close() {
    // Each range is closed by who reads it.
  }
}
