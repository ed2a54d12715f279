// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.remote;

import dev.anemone.evaluation.lab.remote.LoadProgram.Direction;
import dev.anemone.evaluation.lab.remote.LoadProgram.LoadClient;
import dev.anemone.rdma.transport.Completion;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.rdma.transport.RemoteRegion;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/** A client over a transport of {@code rdma-transfer}: one-sided reads and writes. */
final class TransportClient implements LoadClient, Completion {
  private static final Duration DEADLINE = Duration.ofMinutes(1);

  /** The clock costs some hundredths of the shortest operations. */
  private static final int OPERATIONS_PER_LOOK = 8;

  /** Targets send no messages. */
  static final MessageHandler SILENT =
      new MessageHandler() {
        @Override
        public void onMessage(Connection connection, ByteBuffer message) {
          throw new IllegalStateException("a message of " + message.remaining() + " bytes");
        }

        @Override
        public void onClosed(Connection connection, IOException cause) {
          // Operations under way are told.
        }
      };

  private final Connection connection;
  private final MemoryRegion local;
  private final RemoteRegion remote;
  private final long offset;
  private final int window;

  /** Ends that another thread told of; what ends on the client's own needs no atomic change. */
  private final Semaphore endedElsewhere = new Semaphore(0);

  private Thread thread;
  private int underWay;
  private volatile IOException failure;

  /**
   * @param offset of this client's part of the target's memory, as large as a slot
   */
  TransportClient(
      Transport transport, InetSocketAddress target, RemoteRegion remote, long offset, int window)
      throws IOException {
    this.remote = remote;
    this.offset = offset;
    this.window = window;
    this.connection = transport.connect(target, SILENT, DEADLINE);
    try {
      this.local = transport.allocate(TargetProgram.SLOT_BYTES);
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  @Override
  public long operate(Direction direction, int bytes, long nanos)
      throws IOException, InterruptedException {
    thread = Thread.currentThread();
    long begin = System.nanoTime();
    long operations = 0;
    while (System.nanoTime() - begin < nanos && failure == null) {
      for (int i = 0; i < OPERATIONS_PER_LOOK; i++) {
        begin(direction, bytes);
      }
      operations += OPERATIONS_PER_LOOK;
    }
    awaitEnds(underWay);
    underWay++;
    connection.flush(this);
    awaitEnds(underWay);
    if (failure != null) {
      throw failure;
    }
    return operations;
  }

  private void begin(Direction direction, int bytes) throws InterruptedException {
    if (underWay == window) {
      awaitEnds(1);
    }
    underWay++;
    if (direction == Direction.READ) {
      connection.read(remote, offset, local, 0, bytes, this);
    } else {
      connection.write(local, 0, bytes, remote, offset, this);
    }
  }

  private void awaitEnds(int operations) throws InterruptedException {
    endedElsewhere.acquire(operations);
    underWay -= operations;
  }

  @Override
  public void completed(IOException why) {
    if (why != null) {
      failure = why;
    }
    if (Thread.currentThread() == thread) {
      underWay--;
    } else {
      endedElsewhere.release();
    }
  }

  @Override
  public void close() {
    connection.close();
    local.close();
  }
}
