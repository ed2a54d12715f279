// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.protocol;

import dev.anemone.rdma.transport.Completion;
import dev.anemone.rdma.transport.Connection;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * Messages of any length over a connection whose messages are short: each is cut into pieces that
 * begin with the number of the call and whether another piece follows. The pieces of several
 * messages may come mixed.
 *
 * <p>{@link #send} is thread-safe; {@link #receive} is the message handler's.
 */
final class Messages {

  private static final int HEADER_BYTES = 9;

  /** Of all messages together that have begun and not ended, where the other side is known. */
  static final int MAX_BYTES = 64 << 20;

  /** The same of a side that has not proved yet who it is, and of each of its messages. */
  static final int MAX_BYTES_OF_STRANGERS = 4 << 10;

  /** What a message that has begun takes at least, about. */
  private static final int OVERHEAD_BYTES = 256;

  private final Map<Long, ByteArrayOutputStream> unfinished = new HashMap<>();
  private int maxBytes;
  private long unfinishedBytes;

  /**
   * Messages that take so much memory at most before they are whole.
   *
   * @param maxBytes of all together that have begun, and of each
   */
  Messages(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** From now on they may take as much; called where {@link #receive} is. */
  void allow(int bytes) {
    maxBytes = bytes;
  }

  /** Gets whole messages. */
  @FunctionalInterface
  interface Receiver {
    void receive(long call, ByteBuffer message) throws IOException;
  }

  /**
   * Sends a value as a message; the completion may be called for each of its pieces.
   *
   * @param type of the value, or the interface that it is one of
   */
  static void send(
      Connection connection, long call, Class<?> type, Object value, Completion completion) {
    try (Draft draft = Draft.take()) {
      RecordCodec.encode(type, value, draft.out());
      send(connection, call, draft, completion);
    } catch (IOException e) {
      throw new UncheckedIOException("memory can always be written", e);
    }
  }

  private static void send(Connection connection, long call, Draft draft, Completion completion) {
    int room = connection.maxMessageBytes() - HEADER_BYTES;
    int length = draft.length();
    int from = 0;
    do {
      int count = Math.min(room, length - from);
      boolean more = from + count < length;
      // What is before it has been sent, so that the header has room there.
      ByteBuffer piece = draft.bytes(from, HEADER_BYTES + count);
      piece.putLong(0, call).put(Long.BYTES, (byte) (more ? 1 : 0));
      connection.send(piece, completion);
      from += count;
    } while (from < length);
  }

  /**
   * Bytes of a message that is being written, behind room for a header. A thread uses the same one
   * for all its messages, since most are short and each would be garbage at once.
   */
  private static final class Draft extends ByteArrayOutputStream {

    private static final ThreadLocal<Draft> OWN = ThreadLocal.withInitial(Draft::new);
    private static final int USUAL_BYTES = 256;

    /** Larger ones are not kept. */
    private static final int MOST_KEPT_BYTES = 64 << 10;

    private final DataOutputStream out = new DataOutputStream(this);
    private ByteBuffer view = ByteBuffer.wrap(buf);
    private boolean taken;

    private Draft() {
      super(USUAL_BYTES);
    }

    /** An empty one. A completion may send a message while its thread is sending one. */
    static Draft take() throws IOException {
      Draft own = OWN.get();
      Draft draft = own.taken ? new Draft() : own;
      draft.taken = true;
      draft.reset();
      draft.out.writeLong(0);
      draft.out.writeByte(0);
      return draft;
    }

    DataOutputStream out() {
      return out;
    }

    /** Bytes behind the room for the header. */
    int length() {
      return size() - HEADER_BYTES;
    }

    /** A view of some, which the next call changes. */
    ByteBuffer bytes(int from, int length) {
      if (view.array() != buf) {
        view = ByteBuffer.wrap(buf);
      }
      view.clear();
      return from == 0 ? view.limit(length) : view.slice(from, length);
    }

    @Override
    public void close() {
      taken = false;
      if (buf.length > MOST_KEPT_BYTES) {
        OWN.remove();
      }
    }
  }

  /**
   * Takes a piece, and hands on the message that it completes.
   *
   * @throws IOException when it is no piece, or the messages that have begun are too long together
   */
  void receive(ByteBuffer piece, Receiver receiver) throws IOException {
    if (piece.remaining() < HEADER_BYTES) {
      throw new IOException("a message of " + piece.remaining() + " bytes is none of the pool's");
    }
    long call = piece.getLong();
    boolean more = piece.get() != 0;
    if (piece.remaining() > maxBytes) {
      throw tooLong();
    }
    if (!more && !unfinished.containsKey(call)) {
      receiver.receive(call, piece);
      return;
    }
    ByteArrayOutputStream message =
        unfinished.computeIfAbsent(call, ignored -> new ByteArrayOutputStream());
    unfinishedBytes += piece.remaining();
    if (unfinishedBytes + (long) unfinished.size() * OVERHEAD_BYTES > maxBytes) {
      throw tooLong();
    }
    byte[] bytes = new byte[piece.remaining()];
    piece.get(bytes);
    message.writeBytes(bytes);
    if (!more) {
      unfinished.remove(call);
      unfinishedBytes -= message.size();
      receiver.receive(call, ByteBuffer.wrap(message.toByteArray()));
    }
  }

  private IOException tooLong() {
    return new IOException("messages of more than " + maxBytes + " bytes");
  }
}
