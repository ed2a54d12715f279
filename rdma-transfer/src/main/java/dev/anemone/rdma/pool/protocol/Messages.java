package dev.anemone.rdma.pool.protocol;

import dev.anemone.rdma.transport.Completion;
import dev.anemone.rdma.transport.Connection;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
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

  /** Of all messages together that have begun and not ended. */
  private static final int MAX_BYTES = 64 << 20;

  /** What a message that has begun takes at least, about. */
  private static final int OVERHEAD_BYTES = 256;

  private final Map<Long, ByteArrayOutputStream> unfinished = new HashMap<>();
  private long unfinishedBytes;

  /** Gets whole messages. */
  @FunctionalInterface
  interface Receiver {
    void receive(long call, ByteBuffer message) throws IOException;
  }

  /** Sends a message; the completion may be called for each of its pieces. */
  static void send(Connection connection, long call, byte[] message, Completion completion) {
    int room = connection.maxMessageBytes() - HEADER_BYTES;
    int from = 0;
    do {
      int length = Math.min(room, message.length - from);
      boolean more = from + length < message.length;
      ByteBuffer piece = ByteBuffer.allocate(HEADER_BYTES + length);
      piece.putLong(call).put((byte) (more ? 1 : 0)).put(message, from, length).flip();
      connection.send(piece, completion);
      from += length;
    } while (from < message.length);
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
    if (!more && !unfinished.containsKey(call)) {
      receiver.receive(call, piece);
      return;
    }
    ByteArrayOutputStream message =
        unfinished.computeIfAbsent(call, ignored -> new ByteArrayOutputStream());
    unfinishedBytes += piece.remaining();
    if (unfinishedBytes + (long) unfinished.size() * OVERHEAD_BYTES > MAX_BYTES) {
      throw new IOException("messages of more than " + MAX_BYTES + " bytes without an end");
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
}
