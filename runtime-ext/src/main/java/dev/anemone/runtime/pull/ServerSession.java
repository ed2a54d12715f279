// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.pull;

import dev.anemone.rdma.transport.Completion;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.runtime.push.protocol.Hello;
import dev.anemone.runtime.push.protocol.JobSecret;
import dev.anemone.runtime.push.protocol.PushProtocol;
import dev.anemone.runtime.push.protocol.ReceiverHandshake;
import dev.anemone.runtime.push.protocol.Refusal;
import dev.anemone.runtime.push.protocol.RefusedException;
import dev.anemone.runtime.push.protocol.Reply;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.ReadStatistics;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.codec.CorruptedFrameException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server's end of a connection: lets a peer in, and reads for it what it wants, one block after
 * the other. Messages come from one thread at a time; blocks are read by another one.
 */
final class ServerSession implements MessageHandler {

  private static final Logger LOG = LoggerFactory.getLogger(ServerSession.class);

  /**
   * A peer asks for the next block when it has all of the one before; its last release overtakes.
   */
  private static final int MOST_WANTS = 2;

  private static final int MOST_REASON_BYTES = 1 << 10;

  private final BlockServer server;
  private final Connection connection;
  private final Future<?> deadline;

  /** How many pieces may be offered now. */
  private final Semaphore ahead = new Semaphore(PullProtocol.PIECES_AHEAD);

  /** Wants that have not ended. */
  private final Semaphore wants = new Semaphore(MOST_WANTS);

  /** Held by the thread that reads a block for this peer. */
  private final Object reading = new Object();

  private final ByteBuffer message = ByteBuffer.allocateDirect(Piece.MESSAGE_BYTES);
  private final CRC32C checksum = new CRC32C();

  /** Null until the peer has said hello. */
  private ReceiverHandshake handshake;

  /** Null until the peer is let in. */
  private BlockStore blocks;

  private volatile boolean ended;

  ServerSession(BlockServer server, Connection connection) {
    this.server = server;
    this.connection = connection;
    this.deadline =
        server
            .timer()
            .schedule(
                () -> end("it has not introduced itself"),
                server.settings().connectTimeout().toMillis(),
                TimeUnit.MILLISECONDS);
  }

  @Override
  public void onMessage(Connection from, ByteBuffer bytes) {
    if (ended) {
      return;
    }
    try {
      if (blocks == null) {
        admit(Unpooled.wrappedBuffer(bytes));
      } else {
        take(bytes);
      }
    } catch (CorruptedFrameException | IllegalArgumentException | IndexOutOfBoundsException e) {
      end(e.getMessage());
    }
  }

  private void admit(ByteBuf bytes) {
    try {
      if (handshake == null) {
        greet(bytes);
      } else {
        welcome(bytes);
      }
    } catch (RefusedException e) {
      LOG.warn("{} may not read blocks here: {}", connection.remoteAddress(), e.getMessage());
      ended = true;
      send(Reply.REFUSED, e.refusal().code(), failure -> connection.close());
    }
  }

  private void greet(ByteBuf bytes) throws RefusedException {
    if (bytes.readInt() != PushProtocol.MAGIC) {
      throw new CorruptedFrameException("it speaks something else");
    }
    if (bytes.readInt() != PushProtocol.VERSION) {
      throw new RefusedException(Refusal.VERSION);
    }
    int length = bytes.readInt();
    if (length != bytes.readableBytes() - JobSecret.NONCE_BYTES) {
      throw new CorruptedFrameException("a hello of another length than it says");
    }
    Hello hello = Hello.of(bytes.readSlice(length));
    server.blocks(hello);
    handshake = new ReceiverHandshake(server.secret(), hello, bytes);
    ByteBuf challenge = handshake.challenge(UnpooledByteBufAllocator.DEFAULT);
    connection.send(challenge.nioBuffer(), this::endIfFailed);
    challenge.release();
  }

  private void welcome(ByteBuf bytes) throws RefusedException {
    if (bytes.readableBytes() != JobSecret.PROOF_BYTES) {
      throw new CorruptedFrameException("it does not wait until it is let in");
    }
    blocks = server.blocks(handshake.verified(bytes));
    deadline.cancel(false);
    send(Reply.WELCOME, 0, this::endIfFailed);
    MemoryRegion memory = server.memory();
    ByteBuffer key = memory.remote().key();
    connection.send(
        ByteBuffer.allocateDirect(PullProtocol.MEMORY_HEADER_BYTES + key.remaining())
            .put(PullProtocol.MEMORY)
            .putLong(memory.remote().length())
            .put(key)
            .flip(),
        this::endIfFailed);
  }

  private void send(Reply kind, int argument, Completion sent) {
    connection.send(
        ByteBuffer.allocateDirect(Reply.BYTES).put(kind.code()).putInt(argument).flip(), sent);
  }

  private void take(ByteBuffer bytes) {
    if (!bytes.hasRemaining()) {
      throw new IllegalArgumentException("an empty message");
    }
    byte kind = bytes.get();
    if (kind == PullProtocol.RELEASE) {
      if (ahead.availablePermits() >= PullProtocol.PIECES_AHEAD) {
        throw new IllegalArgumentException("it releases a piece that it did not get");
      }
      ahead.release();
    } else if (kind == PullProtocol.WANT) {
      Want want = Want.of(bytes);
      if (!wants.tryAcquire()) {
        throw new IllegalArgumentException("more than " + MOST_WANTS + " wants at a time");
      }
      try {
        server.readers().execute(() -> serve(want));
      } catch (RejectedExecutionException e) {
        end("the executor ends");
      }
    } else {
      throw new IllegalArgumentException("a message of the unknown kind " + kind);
    }
  }

  private void serve(Want want) {
    int lane = server.lanes().take();
    try {
      synchronized (reading) {
        read(want, lane);
        awaitReleased(PullProtocol.PIECES_AHEAD);
      }
    } catch (InterruptedException e) {
      end("the executor ends");
    } catch (RuntimeException e) {
      LOG.error("block {} cannot be served", want.id(), e);
      end(e.toString());
    } finally {
      server.lanes().give(lane);
      wants.release();
    }
  }

  private void read(Want want, int lane) throws InterruptedException {
    try (BlockReader reader = blocks.open(want.id(), new ReadStatistics())) {
      int pieces = 0;
      for (int partition : want.partitions().stream().toArray()) {
        if (partition >= reader.index().partitions()
            || reader.index().storedLength(partition) == 0) {
          throw new IOException("partition " + partition + " has nothing");
        }
        long length = reader.index().storedLength(partition);
        for (long position = 0; position < length; position += PullProtocol.PIECE_BYTES) {
          awaitReleased(1);
          if (ended) {
            return;
          }
          int part = pieces++ % PullProtocol.PIECES_AHEAD;
          offer(
              reader,
              partition,
              position,
              (int) Math.min(PullProtocol.PIECE_BYTES, length - position),
              lane + part * PullProtocol.PIECE_BYTES);
        }
      }
    } catch (IOException e) {
      LOG.warn("block {} cannot be read for {}", want.id(), connection.remoteAddress(), e);
      refuse(e.getMessage() == null ? e.toString() : e.getMessage());
    }
  }

  private void offer(BlockReader reader, int partition, long position, int bytes, int offset)
      throws IOException, InterruptedException {
    ByteBuffer target = server.memory().memory().slice(offset, bytes);
    reader.read(partition, position, target);
    checksum.reset();
    checksum.update(target.flip());
    ahead.acquire();
    connection.send(
        new Piece(
                partition,
                reader.index().storedLength(partition),
                reader.index().rawLength(partition),
                offset,
                bytes,
                (int) checksum.getValue())
            .writeTo(message),
        this::endIfFailed);
  }

  /** Waits until so many pieces may be offered, or the connection has ended. */
  private void awaitReleased(int pieces) throws InterruptedException {
    if (ahead.tryAcquire(
        pieces, server.settings().readTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
      ahead.release(pieces);
    } else {
      end("it has read nothing for " + server.settings().readTimeout());
    }
  }

  private void refuse(String reason) {
    byte[] bytes = reason.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(bytes.length, MOST_REASON_BYTES);
    connection.send(
        ByteBuffer.allocateDirect(1 + length)
            .put(PullProtocol.FAILURE)
            .put(bytes, 0, length)
            .flip(),
        this::endIfFailed);
  }

  private void endIfFailed(IOException failure) {
    if (failure != null) {
      end("it cannot be answered: " + failure.getMessage());
    }
  }

  /** Ends the connection. */
  void end(String reason) {
    if (!ended) {
      ended = true;
      LOG.info(
          "closing the connection of {}, which reads blocks: {}",
          connection.remoteAddress(),
          reason);
      connection.close();
    }
  }

  @Override
  public void onClosed(Connection closed, IOException cause) {
    ended = true;
    deadline.cancel(false);
    // Whoever reads for this peer is not to wait any longer.
    ahead.release(PullProtocol.PIECES_AHEAD);
    server.ended(this);
  }
}
