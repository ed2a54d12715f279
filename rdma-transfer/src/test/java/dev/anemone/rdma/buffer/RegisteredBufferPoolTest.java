// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.tcp.TcpTransportProvider;
import dev.anemone.rdma.transport.Await;
import dev.anemone.rdma.transport.Transport;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RegisteredBufferPoolTest {

  private static final Duration AT_ONCE = Duration.ZERO;
  private static final Duration LONG = Duration.ofSeconds(20);

  private Transport transport;

  @BeforeEach
  void open() throws Exception {
    transport = new TcpTransportProvider().open();
  }

  /** Closing the transport fails when a region is left. */
  @AfterEach
  void close() {
    transport.close();
  }

  private RegisteredBufferPool pool(int bytes, int buffers) throws IOException {
    return RegisteredBufferPool.create(transport, bytes, buffers);
  }

  @Test
  void moreMemoryThanThereIsIsRefused() {
    assertThat(Runtime.getRuntime().maxMemory())
        .as("the heap of a build, and so the direct memory")
        .isLessThan(Integer.MAX_VALUE);
    assertThatThrownBy(() -> pool(Integer.MAX_VALUE - (64 << 10), 2))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("MaxDirectMemorySize");
  }

  @Test
  void aViewThatCannotBeMadeHoldsNothing() throws Exception {
    try (RegisteredBufferPool pool = pool(100, 2)) {
      RegisteredBuffer first = pool.acquire(AT_ONCE);
      RegisteredBuffer released = pool.acquire(AT_ONCE);
      List<RegisteredChain.Segment> segments =
          List.of(
              new RegisteredChain.Segment(first, 10), new RegisteredChain.Segment(released, 10));
      released.release();
      assertThatThrownBy(() -> new RegisteredChain(segments).asByteBuf())
          .isInstanceOf(IllegalStateException.class);
      assertThat(first.release()).as("the last reference").isTrue();
    }
  }

  @Test
  void buffersDoNotOverlap() throws Exception {
    try (RegisteredBufferPool pool = pool(1000, 5)) {
      List<RegisteredBuffer> buffers = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        RegisteredBuffer buffer = pool.acquire(AT_ONCE);
        ByteBuffer memory = buffer.memory();
        assertThat(memory.capacity()).isEqualTo(1000).isEqualTo(buffer.capacity());
        while (memory.hasRemaining()) {
          memory.put((byte) i);
        }
        buffers.add(buffer);
      }
      for (int i = 0; i < 5; i++) {
        RegisteredBuffer buffer = buffers.get(i);
        ByteBuffer expected = ByteBuffer.allocate(1000);
        while (expected.hasRemaining()) {
          expected.put((byte) i);
        }
        assertThat(buffer.memory()).isEqualTo(expected.flip());
        assertThat(buffer.region().memory().slice(buffer.position(), 1000)).isEqualTo(expected);
        assertThat(buffer.release()).isTrue();
      }
    }
  }

  @Test
  void theLastReferenceGivesItBack() throws Exception {
    try (RegisteredBufferPool pool = pool(64, 1)) {
      RegisteredBuffer buffer = pool.acquire(AT_ONCE);
      assertThat(buffer.retain()).isSameAs(buffer);
      assertThat(buffer.release()).isFalse();
      assertThat(pool.inUse()).isEqualTo(1);
      assertThat(pool.tryAcquire()).isEmpty();
      assertThat(buffer.release()).isTrue();
      assertThat(pool.inUse()).isZero();
      RegisteredBuffer again = pool.tryAcquire().orElseThrow();
      assertThatThrownBy(buffer::memory).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(buffer::region).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(buffer::position).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(buffer::retain).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(buffer::release).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> buffer.asByteBuf(1)).isInstanceOf(IllegalStateException.class);
      assertThat(pool.inUse()).as("the second life is untouched").isEqualTo(1);
      again.release();
      assertThat(pool.peak()).isEqualTo(1);
      assertThat(pool.lost()).isZero();
    }
  }

  @Test
  void anEmptyPoolRefusesInTime() throws Exception {
    try (RegisteredBufferPool pool = pool(64, 2)) {
      RegisteredBuffer one = pool.acquire(AT_ONCE);
      RegisteredBuffer two = pool.acquire(AT_ONCE);
      assertThatThrownBy(() -> pool.acquire(Duration.ofMillis(20)))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "no registered buffer became free within 20 ms: all 2 of 64 bytes are in use");
      one.release();
      two.release();
      assertThat(pool.peak()).isEqualTo(2);
    }
  }

  @Test
  void whoWaitsGetsWhatComesBack() throws Exception {
    try (RegisteredBufferPool pool = pool(64, 1)) {
      RegisteredBuffer first = pool.acquire(AT_ONCE);
      AtomicReference<RegisteredBuffer> acquired = new AtomicReference<>();
      FutureTask<Boolean> task =
          new FutureTask<>(() -> acquired.compareAndSet(null, pool.acquire(LONG)));
      Thread thread = new Thread(task, "waits for a buffer");
      thread.start();
      // It waits in acquire(), where only the release below can find it, and not until its time
      // ends.
      Await.until("a thread waits", () -> thread.getState() == Thread.State.TIMED_WAITING);
      assertThat(acquired).hasValue(null);
      first.release();
      assertThat(task.get(LONG.toMillis() / 2, TimeUnit.MILLISECONDS)).isTrue();
      acquired.get().release();
    }
  }

  @Test
  void whoWaitsIsToldOfTheEnd() throws Exception {
    RegisteredBufferPool pool = pool(64, 1);
    RegisteredBuffer first = pool.acquire(AT_ONCE);
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try {
      Future<RegisteredBuffer> waiting = executor.submit(() -> pool.acquire(LONG));
      assertThatThrownBy(pool::close).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> waiting.get(10, TimeUnit.SECONDS))
          .hasCauseInstanceOf(IllegalStateException.class);
    } finally {
      executor.shutdownNow();
      first.release();
    }
  }

  @Test
  void threadsNeverShareABuffer() throws Exception {
    int threads = 8;
    try (RegisteredBufferPool pool = pool(256, 3)) {
      ExecutorService executor = Executors.newFixedThreadPool(threads);
      List<Future<?>> futures = new ArrayList<>();
      try {
        for (int t = 0; t < threads; t++) {
          byte mark = (byte) (t + 1);
          futures.add(
              executor.submit(
                  () -> {
                    for (int i = 0; i < 2_000; i++) {
                      markAndVerify(pool.acquire(LONG), mark);
                    }
                    return null;
                  }));
        }
        for (Future<?> future : futures) {
          future.get(30, TimeUnit.SECONDS);
        }
      } finally {
        executor.shutdownNow();
      }
      assertThat(pool.inUse()).isZero();
      assertThat(pool.peak()).isBetween(1, 3);
    }
  }

  private static void markAndVerify(RegisteredBuffer buffer, byte mark) {
    ByteBuffer memory = buffer.memory();
    int at = ThreadLocalRandom.current().nextInt(memory.capacity());
    memory.put(0, mark).put(at, mark);
    Thread.onSpinWait();
    assertThat(memory.get(0)).isEqualTo(mark);
    assertThat(memory.get(at)).isEqualTo(mark);
    buffer.release();
  }

  @Test
  void closingNamesWhatIsOut() throws Exception {
    System.setProperty(RegisteredBufferPool.ORIGINS, "true");
    RegisteredBufferPool pool;
    try {
      pool = pool(64, 4);
    } finally {
      System.clearProperty(RegisteredBufferPool.ORIGINS);
    }
    RegisteredBuffer one = pool.acquire(AT_ONCE);
    RegisteredBuffer two = pool.acquire(AT_ONCE);
    assertThatThrownBy(pool::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("2 of 4 registered buffers are not released")
        .satisfies(
            failure ->
                assertThat(failure.getSuppressed())
                    .hasSize(2)
                    .allSatisfy(
                        origin ->
                            assertThat(origin.getStackTrace())
                                .anyMatch(
                                    frame ->
                                        frame.getMethodName().equals("closingNamesWhatIsOut"))));
    pool.close();
    assertThatThrownBy(pool::tryAcquire).isInstanceOf(IllegalStateException.class);
    one.release();
    assertThat(two.memory().capacity()).isEqualTo(64);
    two.release();
  }

  @Test
  void aBufferThatBecomesGarbageComesBack() throws Exception {
    try (RegisteredBufferPool pool = pool(64, 2)) {
      lose(pool);
      Await.until(
          "the lost buffer is back",
          () -> {
            System.gc();
            return pool.lost() == 1;
          });
      Await.until("no buffer is out", () -> pool.inUse() == 0);
      RegisteredBuffer one = pool.acquire(AT_ONCE);
      RegisteredBuffer two = pool.acquire(AT_ONCE);
      one.release();
      two.release();
    }
  }

  private static void lose(RegisteredBufferPool pool) throws Exception {
    pool.acquire(AT_ONCE).memory().put(0, (byte) 1);
  }

  @Test
  void nettySeesTheSameMemory() throws Exception {
    try (RegisteredBufferPool pool = pool(64, 1)) {
      RegisteredBuffer buffer = pool.acquire(AT_ONCE);
      ByteBuf view = buffer.asByteBuf(10);
      buffer.release();
      assertThat(pool.inUse()).as("the view has a reference").isEqualTo(1);
      assertThat(view.readableBytes()).isEqualTo(10);
      assertThat(view.isDirect()).isTrue();
      view.setByte(3, 42);
      assertThat(buffer.memory().get(3)).isEqualTo((byte) 42);
      assertThat(view.writableBytes()).isEqualTo(54);
      assertThatThrownBy(() -> view.ensureWritable(55))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> view.capacity(10)).isInstanceOf(UnsupportedOperationException.class);
      ByteBuf part = view.retainedSlice(2, 4);
      view.release();
      assertThat(part.getByte(1)).isEqualTo((byte) 42);
      part.release();
      assertThat(pool.inUse()).isZero();
      RegisteredBuffer again = pool.acquire(AT_ONCE);
      assertThatThrownBy(() -> again.asByteBuf(65)).isInstanceOf(IndexOutOfBoundsException.class);
      again.release();
    }
  }

  @Test
  void senselessSizesAreRefused() {
    assertThatThrownBy(() -> pool(0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> pool(1, 0)).isInstanceOf(IllegalArgumentException.class);
  }
}
