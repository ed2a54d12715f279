// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * Measures reads and writes of a transport between two processes on this machine, and plain NIO
 * beside it. Not a test. Arguments: class of the provider, ms per figure.
 */
final class TransportRates {

  private static final int WINDOW = 8;
  private static final int LARGEST = 1 << 20;
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private final Transport transport;
  private final PeerProcess peer;
  private final long nanos;

  private TransportRates(Transport transport, PeerProcess peer, long nanos) {
    this.transport = transport;
    this.peer = peer;
    this.nanos = nanos;
  }

  public static void main(String[] args) throws Exception {
    long nanos = Duration.ofMillis(Long.parseLong(args[1])).toNanos();
    Class<? extends TransportProvider> provider =
        Class.forName(args[0]).asSubclass(TransportProvider.class);
    try (Transport transport = provider.getDeclaredConstructor().newInstance().open();
        PeerProcess peer = PeerProcess.start(provider, TestMemory.ALLOCATED, 8 * LARGEST)) {
      TransportRates rates = new TransportRates(transport, peer, nanos);
      rates.measure("warm-up", true, 4096, 2);
      rates.measure("warm-up", false, 4096, 2);
      for (int bytes : new int[] {4 << 10, 16 << 10, 64 << 10, 256 << 10, LARGEST}) {
        for (int threads : new int[] {1, 2, 4, 8}) {
          rates.measure("read", true, bytes, threads);
          rates.measure("write", false, bytes, threads);
        }
        rates.plain(bytes);
      }
    }
  }

  private void measure(String name, boolean reads, int bytes, int threads) throws Exception {
    List<Thread> workers = new ArrayList<>();
    long[] counts = new long[threads];
    long begin = System.nanoTime();
    for (int t = 0; t < threads; t++) {
      int index = t;
      Thread worker = new Thread(() -> counts[index] = operate(reads, bytes, index));
      worker.start();
      workers.add(worker);
    }
    long operations = 0;
    for (int t = 0; t < threads; t++) {
      workers.get(t).join();
      operations += counts[t];
    }
    print(name, bytes, threads, operations, System.nanoTime() - begin);
  }

  private static void print(String name, int bytes, int threads, long operations, long nanos) {
    double seconds = nanos / 1e9;
    System.out.printf(
        "%-8s %8d bytes %d threads %10.0f ops/s %7.3f GB/s%n",
        name, bytes, threads, operations / seconds, operations * (double) bytes / seconds / 1e9);
  }

  /** Keeps a window of operations under way on a connection of its own. */
  private long operate(boolean reads, int bytes, int index) {
    try (MemoryRegion region = transport.register(ByteBuffer.allocateDirect(LARGEST));
        Connection connection =
            transport.connect(peer.address(), new RecordingHandler(), DEADLINE)) {
      Semaphore window = new Semaphore(WINDOW);
      Outcomes outcomes = new Outcomes();
      Completion completion =
          failure -> {
            outcomes.completed(failure);
            window.release();
          };
      long end = System.nanoTime() + nanos;
      long begun = 0;
      long at = (long) index * LARGEST;
      while (System.nanoTime() - end < 0) {
        window.acquireUninterruptibly();
        begun++;
        if (reads) {
          connection.read(peer.remote(), at, region, 0, bytes, completion);
        } else {
          connection.write(region, 0, bytes, peer.remote(), at, completion);
        }
      }
      window.acquireUninterruptibly(WINDOW);
      connection.flush(completion);
      outcomes.awaitDone((int) begun + 1);
      return begun;
    } catch (IOException e) {
      throw new IllegalStateException("an operation failed", e);
    }
  }

  /** One socket, one direction, blocking. */
  private void plain(int bytes) throws Exception {
    try (ServerSocketChannel server = ServerSocketChannel.open().bind(TestPeer.freePort());
        SocketChannel out = SocketChannel.open((InetSocketAddress) server.getLocalAddress());
        SocketChannel in = server.accept()) {
      Thread reader =
          new Thread(
              () -> {
                ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
                try {
                  while (in.read(buffer.clear()) >= 0) {
                    // What was read is of no account.
                  }
                } catch (IOException e) {
                  throw new IllegalStateException("plain NIO failed", e);
                }
              });
      reader.start();
      ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
      long begin = System.nanoTime();
      long count = 0;
      while (System.nanoTime() - begin < nanos) {
        buffer.clear();
        while (buffer.hasRemaining()) {
          out.write(buffer);
        }
        count++;
      }
      out.shutdownOutput();
      reader.join();
      print("plain", bytes, 1, count, System.nanoTime() - begin);
    }
  }
}
