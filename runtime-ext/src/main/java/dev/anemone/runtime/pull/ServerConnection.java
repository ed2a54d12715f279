// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.pull;

import dev.anemone.rdma.transport.Completion;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.rdma.transport.RemoteRegion;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.runtime.push.protocol.ReceiverHandshake;
import dev.anemone.runtime.push.protocol.Refusal;
import dev.anemone.runtime.push.protocol.Reply;
import dev.anemone.runtime.push.protocol.SenderHandshake;
import dev.anemone.runtime.transfer.fetch.CopiedBlock;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/**
 * A connection to the server of a node, which reads one block after the other. While a piece comes
 * over the network, the one before is copied. Used by one thread at a time. When a block does not
 * come whole, for whatever reason, the connection is of no use any more.
 */
final class ServerConnection implements MessageHandler, Closeable {

  /** What the server has said. */
  private sealed interface Answer {}

  private record Challenged(ByteBuf challenge) implements Answer {}

  private record Welcome() implements Answer {}

  private record Memory(RemoteRegion region) implements Answer {}

  private record Offered(Piece piece) implements Answer {}

  private record Failed(String reason) implements Answer {}

  /** The last one. */
  private record Ended(String why) implements Answer {}

  /**
   * A piece that is on its way.
   *
   * @param rawBytes what they count in the copy
   * @param place where its bytes are going, in this side's memory
   * @param read ends when they are there
   */
  private record Coming(
      Piece piece, long rawBytes, ByteBuffer place, CompletableFuture<Void> read) {}

  private final FetchSettings settings;
  private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final CRC32C checksum = new CRC32C();
  private final ByteBuffer release = ByteBuffer.allocateDirect(1).put(0, PullProtocol.RELEASE);
  private Connection connection;

  /** Of the server; null until it has let this side in. */
  private volatile RemoteRegion memory;

  private ServerConnection(FetchSettings settings) {
    this.settings = settings;
  }

  /**
   * Connects to a server, and proves that this side may read there.
   *
   * @throws UnservedException when it does not let this side in, or is not there
   * @throws InterruptedIOException when the thread is interrupted
   */
  static ServerConnection open(
      Transport transport,
      InetSocketAddress address,
      SenderHandshake handshake,
      FetchSettings settings)
      throws IOException {
    ServerConnection opened = new ServerConnection(settings);
    try {
      // Also the deadline of the reads, after which the node's handler is asked.
      opened.connection = transport.connect(address, opened, settings.connectTimeout());
    } catch (IOException e) {
      throw e instanceof InterruptedIOException
          ? e
          : new UnservedException("it cannot be reached: " + e.getMessage(), e);
    }
    try {
      opened.introduce(handshake);
      return opened;
    } catch (IOException e) {
      try (opened) {
        throw e;
      }
    }
  }

  private void introduce(SenderHandshake handshake) throws IOException {
    send(handshake.greeting(UnpooledByteBufAllocator.DEFAULT));
    if (!(await() instanceof Challenged challenged)) {
      throw stranger();
    }
    ByteBuf proof =
        handshake
            .answer(challenged.challenge(), UnpooledByteBufAllocator.DEFAULT)
            .orElseThrow(() -> new UnservedException("it does not know the secret of this job"));
    send(proof);
    if (!(await() instanceof Welcome) || !(await() instanceof Memory of)) {
      throw stranger();
    }
    memory = of.region();
  }

  private static UnservedException stranger() {
    return new UnservedException("it answers what it was not asked");
  }

  private void send(ByteBuf bytes) {
    send(bytes.nioBuffer());
    bytes.release();
  }

  private void send(ByteBuffer bytes) {
    // A failure is the end of the connection, of which this side is told.
    connection.send(bytes, failure -> {});
  }

  /**
   * Reads a block.
   *
   * @param copy takes its bytes
   * @param staging memory of {@link PullProtocol#CONNECTION_BYTES} that is registered with the
   *     transport; after a failure the network may write to it until {@link #awaitClosed}
   * @throws UnservedException when it does not come from here
   * @throws InterruptedIOException when the thread is interrupted
   * @throws dev.anemone.runtime.transfer.fetch.ConsumerFaultException when it cannot be kept here
   */
  void read(CopiedBlock copy, MemoryRegion staging) throws IOException {
    BitSet wanted = copy.wanted();
    send(
        new Want(copy.id(), wanted)
            .toMessage()
            .orElseThrow(() -> UnservedException.block("its partitions are too many to ask for")));
    Coming before = null;
    int count = 0;
    for (int partition = wanted.nextSetBit(0);
        partition >= 0;
        partition = wanted.nextSetBit(partition + 1)) {
      long left = Long.MAX_VALUE;
      for (long position = 0; left > 0; ) {
        Piece piece = awaitPiece();
        check(piece, partition, position);
        Coming coming =
            begin(
                piece,
                position == 0 ? piece.rawLength() : 0,
                staging,
                count++ % PullProtocol.PIECES_AHEAD);
        if (before != null) {
          keep(before, copy);
        }
        before = coming;
        position += piece.bytes();
        left = piece.storedLength() - position;
      }
    }
    keep(before, copy);
  }

  private Piece awaitPiece() throws IOException {
    Answer answer = await();
    if (answer instanceof Offered offered) {
      return offered.piece();
    }
    throw answer instanceof Failed failed
        ? UnservedException.block("the server answers: " + failed.reason())
        : stranger();
  }

  private void check(Piece piece, int partition, long position) throws UnservedException {
    if (piece.partition() != partition
        || piece.bytes() < 1
        || piece.bytes() > PullProtocol.PIECE_BYTES
        || piece.storedLength() < position + piece.bytes()
        || piece.rawLength() < 0
        || piece.offset() < 0
        || piece.offset() > memory.length() - piece.bytes()) {
      throw new UnservedException(
          "at byte " + position + " of partition " + partition + " it offers " + piece);
    }
  }

  private Coming begin(Piece piece, long rawBytes, MemoryRegion staging, int part) {
    int position = part * PullProtocol.PIECE_BYTES;
    CompletableFuture<Void> read = new CompletableFuture<>();
    Completion completion =
        failure -> {
          if (failure == null) {
            read.complete(null);
          } else {
            read.completeExceptionally(failure);
          }
        };
    connection.read(memory, piece.offset(), staging, position, piece.bytes(), completion);
    return new Coming(piece, rawBytes, staging.memory().slice(position, piece.bytes()), read);
  }

  /** Waits for a piece, and appends it to the copy. */
  private void keep(Coming coming, CopiedBlock copy) throws IOException {
    Piece piece = coming.piece();
    try {
      coming.read().get();
    } catch (ExecutionException e) {
      throw new UnservedException("it cannot be read: " + e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      throw interrupted();
    }
    checksum.reset();
    checksum.update(coming.place().duplicate());
    if ((int) checksum.getValue() != piece.checksum()) {
      throw new UnservedException("bytes have come that are not those of their checksum");
    }
    send(release.clear());
    copy.writer().append(piece.partition(), coming.place(), coming.rawBytes());
  }

  private Answer await() throws IOException {
    Answer answer;
    try {
      answer = answers.poll(settings.readTimeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw interrupted();
    }
    if (answer == null) {
      throw new UnservedException("it has said nothing for " + settings.readTimeout());
    }
    if (answer instanceof Ended end) {
      throw new UnservedException(end.why());
    }
    return answer;
  }

  private static InterruptedIOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException("interrupted while a block was read");
  }

  @Override
  public void onMessage(Connection from, ByteBuffer message) {
    byte kind = message.get();
    try {
      answers.add(memory == null ? ofHandshake(kind, message) : ofWant(kind, message));
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("a message that ends too early", e);
    }
  }

  private static Answer ofHandshake(byte kind, ByteBuffer message) {
    if (kind == PullProtocol.MEMORY) {
      return new Memory(new RemoteRegion(message.getLong(), message));
    }
    Reply reply = Reply.of(kind);
    int argument = message.getInt();
    if (reply == Reply.CHALLENGE && message.remaining() == ReceiverHandshake.CHALLENGE_BYTES) {
      return new Challenged(Unpooled.copiedBuffer(message));
    }
    if (reply == Reply.REFUSED) {
      return new Ended("it does not let this executor in: " + Refusal.reason(argument));
    }
    if (reply == Reply.WELCOME) {
      return new Welcome();
    }
    throw new IllegalArgumentException("a message of the unknown kind " + kind);
  }

  private static Answer ofWant(byte kind, ByteBuffer message) {
    return switch (kind) {
      case PullProtocol.PIECE -> new Offered(Piece.of(message));
      case PullProtocol.FAILURE -> new Failed(StandardCharsets.UTF_8.decode(message).toString());
      default -> throw new IllegalArgumentException("a message of the unknown kind " + kind);
    };
  }

  @Override
  public void onClosed(Connection ended, IOException cause) {
    answers.add(
        new Ended(
            cause == null
                ? "it has closed the connection"
                : "the connection has failed: " + cause.getMessage()));
    closed.countDown();
  }

  boolean isOpen() {
    return connection.isOpen();
  }

  /** Ends it; the network may go on with what was begun. */
  @Override
  public void close() {
    connection.close();
  }

  /**
   * Waits until the network does nothing for this connection any more, even if the thread is
   * interrupted.
   *
   * @return whether that was so in time
   */
  boolean awaitClosed() {
    boolean interrupted = Thread.interrupted();
    try {
      return closed.await(settings.connectTimeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      interrupted = true;
      return false;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
