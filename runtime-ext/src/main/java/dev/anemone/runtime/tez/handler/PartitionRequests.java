// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.transfer.announcement.BlockLocation;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.crypto.SecretKey;
import org.apache.hadoop.io.WritableUtils;
import org.apache.tez.runtime.library.common.shuffle.orderedgrouped.ShuffleHeader;

/**
 * Asks one node for partitions, one after the other, over one connection as long as the node keeps
 * it. The protocol of YARN's shuffle handler: the body of an answer has for each block a header,
 * with the block's name, the partition's stored and raw length and its number, and the stored
 * bytes. Tez's handler puts the number of such headers before it, which is one here. Used by one
 * thread.
 */
final class PartitionRequests implements Closeable {

  private static final int OK = 200;

  /** Too many connections; and what gateways say. */
  private static final Set<Integer> TRANSIENT = Set.of(429, 502, 503, 504);

  private static final int MOST_TEXT_BYTES = 1 << 10;

  private final BlockLocation location;
  private final ServedJob job;
  private final SecretKey key;
  private final FetchSettings settings;
  private final IdleConnections idle;
  private final ReadBuffers buffers;
  private HandlerConnection connection;

  /** Takes what comes of blocks, by their names. */
  interface Target {

    /** A block's bytes come now; they are to be appended to this. */
    BlockWriter begin(String name) throws IOException;

    /** All have come, so many. */
    void complete(String name, long length) throws IOException;
  }

  /** Nothing asked yet, and no connection. */
  PartitionRequests(
      BlockLocation location,
      ServedJob job,
      SecretKey key,
      FetchSettings settings,
      IdleConnections idle,
      ReadBuffers buffers) {
    this.location = location;
    this.job = job;
    this.key = key;
    this.settings = settings;
    this.idle = idle;
    this.buffers = buffers;
  }

  /**
   * Fetches a partition of blocks. When this fails, a part of it may have come for the block that
   * was begun last, and nothing for those that were not begun.
   *
   * @param names of the blocks, as the handler knows them; each once
   * @throws TransientFailureException when it may succeed later
   */
  void fetch(List<String> names, int partition, Target target) throws IOException {
    MapOutputRequest request = MapOutputRequest.of(job, names, partition, location.port(), key);
    boolean complete = false;
    try {
      AnswerHead head = ask(request.toBytes(location));
      copy(request, head, target);
      connection.keptFor(head.keptAlive());
      complete = true;
    } finally {
      if (!complete || !connection.isUsable()) {
        disconnect();
      }
    }
  }

  /**
   * Sends a request. A connection that was kept may have been closed by the node meanwhile, which
   * does not count as a failure.
   */
  private AnswerHead ask(byte[] request) throws IOException {
    if (connection == null) {
      connection = idle.take(location);
    }
    if (connection != null) {
      long before = connection.answers().count();
      try {
        return connection.ask(request);
      } catch (TransientFailureException e) {
        if (connection.answers().count() > before) {
          throw e;
        }
        disconnect();
      }
    }
    connection = HandlerConnection.open(location, settings, buffers);
    return connection.ask(request);
  }

  private void copy(MapOutputRequest request, AnswerHead head, Target target) throws IOException {
    AnswerBytes bytes = connection.answers();
    if (head.status() != OK) {
      throw refusal(head, bytes);
    }
    request.verify(head, key);
    if (job.handler() == HandlerKind.TEZ) {
      requireLength(head);
    }
    bytes.beginBody(head.contentLength());
    Set<String> left = new HashSet<>(request.names());
    while (!left.isEmpty()) {
      if (job.handler() == HandlerKind.TEZ) {
        requireOnePartition(bytes);
      }
      ShuffleHeader header = header(bytes);
      check(request, left, header, bytes.bodyLeft());
      copy(header, bytes, target);
      left.remove(header.getMapId());
      if (left.isEmpty() && bytes.hasMore()) {
        throw new IOException("its answer is longer than it says");
      }
      target.complete(header.getMapId(), header.getCompressedLength());
    }
  }

  private static void copy(ShuffleHeader header, AnswerBytes bytes, Target target)
      throws IOException {
    BlockWriter writer = target.begin(header.getMapId());
    // The raw length counts once.
    long raw = header.getUncompressedLength();
    for (long left = header.getCompressedLength(); left > 0; ) {
      ByteBuffer piece = bytes.piece(left);
      left -= piece.remaining();
      writer.append(header.getPartition(), piece, raw);
      raw = 0;
    }
  }

  /** Why the node does not hand out the partition, in its own words. */
  private static IOException refusal(AnswerHead head, AnswerBytes bytes) throws IOException {
    bytes.beginBody(head.field("content-length").isPresent() ? head.contentLength() : 0);
    String message =
        "it answers "
            + head.status()
            + " "
            + AnswerHead.printable(head.reason())
            + ": "
            + AnswerHead.printable(bytes.text(MOST_TEXT_BYTES));
    return TRANSIENT.contains(head.status())
        ? TransientFailureException.answer(message)
        : new IOException(message);
  }

  /** Tez's handler answers 200 to all that is signed, before it has looked for the block. */
  private static void requireLength(AnswerHead head) throws IOException {
    if (head.field("content-length").isEmpty()) {
      throw new IOException(
          "its answer has no length, which is how Tez's handler says that it cannot read a block");
    }
  }

  private static void requireOnePartition(AnswerBytes bytes) throws IOException {
    int count = WritableUtils.readVInt(new DataInputStream(bytes));
    if (count != 1) {
      throw new IOException("it answers with " + count + " partitions, and was asked for one");
    }
  }

  private static ShuffleHeader header(AnswerBytes bytes) throws IOException {
    ShuffleHeader header = new ShuffleHeader();
    try {
      header.readFields(new DataInputStream(bytes));
    } catch (IllegalArgumentException e) {
      throw new IOException("its answer has no shuffle header: " + e.getMessage(), e);
    }
    return header;
  }

  private static void check(
      MapOutputRequest request, Set<String> left, ShuffleHeader header, long bytesLeft)
      throws IOException {
    if (!left.contains(header.getMapId()) || header.getPartition() != request.partition()) {
      throw new IOException(
          "it answers with partition "
              + header.getPartition()
              + " of "
              + AnswerHead.printable(header.getMapId()));
    }
    boolean last = left.size() == 1;
    long stored = header.getCompressedLength();
    if (stored < 0
        || stored > bytesLeft
        || (last && stored < bytesLeft)
        || header.getUncompressedLength() < 0) {
      throw new IOException(
          "its answer has "
              + bytesLeft
              + " more bytes, and says that the partition has "
              + header.getCompressedLength()
              + " stored and "
              + header.getUncompressedLength()
              + " raw bytes");
    }
    if (stored == 0) {
      throw new IOException("the partition is empty there, and was announced as filled");
    }
  }

  private void disconnect() throws IOException {
    if (connection != null) {
      HandlerConnection closed = connection;
      connection = null;
      closed.close();
    }
  }

  /** Keeps the connection for others. */
  @Override
  public void close() throws IOException {
    if (connection != null) {
      idle.give(connection);
      connection = null;
    }
  }
}
