// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The body of a response as a stream that never waits without a deadline, and asks for no more than
 * some pieces ahead of what is read; the JDK's own waits as long as the server likes. For one
 * reader.
 */
public final class TimedBody extends InputStream implements BodySubscriber<TimedBody> {

  private record Piece(List<ByteBuffer> bytes, boolean last, Throwable failure) {}

  /** Pieces of some 16 KB: enough that neither side waits for the other with each of them. */
  private static final int PIECES_AHEAD = 64;

  private static final Piece END = new Piece(List.of(), true, null);

  private final Duration patience;
  private final long deadlineNanos;
  private final BlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();
  private volatile Subscription subscription;
  private volatile boolean closed;
  private List<ByteBuffer> current = List.of();
  private int index;
  private boolean ended;

  /**
   * @param patience how long the server may send nothing
   * @param deadline how long all of the body may take
   */
  public TimedBody(Duration patience, Duration deadline) {
    this.patience = patience;
    this.deadlineNanos = System.nanoTime() + deadline.toNanos();
  }

  @Override
  public CompletionStage<TimedBody> getBody() {
    return CompletableFuture.completedFuture(this);
  }

  @Override
  public void onSubscribe(Subscription given) {
    subscription = given;
    if (closed) {
      given.cancel();
    } else {
      given.request(PIECES_AHEAD);
    }
  }

  @Override
  public void onNext(List<ByteBuffer> bytes) {
    pieces.add(new Piece(bytes, false, null));
  }

  @Override
  public void onError(Throwable failure) {
    pieces.add(new Piece(List.of(), true, failure));
  }

  @Override
  public void onComplete() {
    pieces.add(END);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  /**
   * {@inheritDoc}
   *
   * @throws HttpTimeoutException when nothing arrives for too long, or all takes too long
   */
  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length == 0) {
      return 0;
    }
    while (!ended) {
      while (index < current.size()) {
        ByteBuffer bytes = current.get(index);
        if (bytes.hasRemaining()) {
          int count = Math.min(length, bytes.remaining());
          bytes.get(target, offset, count);
          return count;
        }
        index++;
      }
      if (!current.isEmpty()) {
        subscription.request(1);
      }
      take();
    }
    return -1;
  }

  private void take() throws IOException {
    long left = deadlineNanos - System.nanoTime();
    Piece piece;
    try {
      piece = pieces.poll(Math.min(left, patience.toNanos()), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a response was read", e);
    }
    if (piece == null) {
      throw new HttpTimeoutException(
          left < patience.toNanos()
              ? "the response was not there at its deadline"
              : "nothing arrived for " + patience.toMillis() + " ms");
    }
    if (piece.failure() != null) {
      throw new IOException("the response broke off: " + piece.failure(), piece.failure());
    }
    ended = piece.last();
    current = piece.bytes();
    index = 0;
  }

  /** Breaks the response off if it is not at its end. */
  @Override
  public void close() {
    ended = true;
    closed = true;
    Subscription open = subscription;
    if (open != null) {
      open.cancel();
    }
  }
}
