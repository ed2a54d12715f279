// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.tcp.TcpTransportProvider;
import dev.anemone.rdma.transport.Transport;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class RegisteredStreamsTest {

  private static final Duration AT_ONCE = Duration.ZERO;

  /** What a test does with a pool, of which nothing may be out afterwards. */
  private interface Use {
    void of(RegisteredBufferPool pool) throws Exception;
  }

  private static void withPool(int bufferBytes, int buffers, Use use) throws Exception {
    try (Transport transport = new TcpTransportProvider().open();
        RegisteredBufferPool pool = RegisteredBufferPool.create(transport, bufferBytes, buffers)) {
      use.of(pool);
    }
  }

  @Property(tries = 60)
  void whatIsWrittenIsRead(
      @ForAll @IntRange(min = 1, max = 70) int bufferBytes,
      @ForAll @Size(max = 30) List<@IntRange(max = 150) Integer> lengths,
      @ForAll Random random)
      throws Exception {
    int total = lengths.stream().mapToInt(Integer::intValue).sum();
    withPool(
        bufferBytes,
        total / bufferBytes + 1,
        pool -> {
          ByteArrayOutputStream model = new ByteArrayOutputStream();
          RegisteredOutputStream out = new RegisteredOutputStream(pool, AT_ONCE);
          for (int length : lengths) {
            writeSomehow(out, model, length, random);
            assertThat(out.length()).isEqualTo(model.size());
          }
          byte[] expected = model.toByteArray();
          try (RegisteredChain chain = out.finish()) {
            out.close();
            assertThat(chain.length()).isEqualTo(expected.length);
            assertThat(pool.inUse()).isEqualTo((total + bufferBytes - 1) / bufferBytes);
            assertThat(chain.openStream().readAllBytes()).isEqualTo(expected);
            readSomehow(chain.openStream(), expected, random);
            ByteBuf view = chain.asByteBuf();
            assertThat(ByteBufUtil.getBytes(view)).isEqualTo(expected);
            view.release();
          }
          assertThat(pool.inUse()).isZero();
        });
  }

  private static void writeSomehow(
      RegisteredOutputStream out, ByteArrayOutputStream model, int length, Random random)
      throws IOException {
    byte[] bytes = new byte[length + 5];
    random.nextBytes(bytes);
    switch (random.nextInt(4)) {
      case 0 -> {
        for (int i = 0; i < length; i++) {
          out.write(bytes[2 + i]);
        }
      }
      case 1 -> out.write(bytes, 2, length);
      case 2 -> out.write(ByteBuffer.wrap(bytes, 2, length));
      default -> {
        ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes);
        direct.position(2).limit(2 + length);
        out.write(direct);
        assertThat(direct.hasRemaining()).isFalse();
      }
    }
    model.write(bytes, 2, length);
  }

  private static void readSomehow(InputStream in, byte[] expected, Random random)
      throws IOException {
    int at = 0;
    while (at < expected.length) {
      assertThat(in.available()).isEqualTo(expected.length - at);
      switch (random.nextInt(3)) {
        case 0 -> {
          assertThat(in.read()).isEqualTo(expected[at] & 0xFF);
          at++;
        }
        case 1 -> {
          byte[] bytes = new byte[1 + random.nextInt(200)];
          int got = in.read(bytes, 0, bytes.length);
          assertThat(got).isEqualTo(Math.min(bytes.length, expected.length - at));
          assertThat(Arrays.copyOf(bytes, got))
              .isEqualTo(Arrays.copyOfRange(expected, at, at + got));
          at += got;
        }
        default -> {
          int wanted = random.nextInt(100);
          long skipped = in.skip(wanted);
          assertThat(skipped).isEqualTo(Math.min(wanted, expected.length - at));
          at += (int) skipped;
        }
      }
    }
    assertThat(in.read()).isEqualTo(-1);
    assertThat(in.read(new byte[3], 0, 3)).isEqualTo(-1);
    assertThat(in.read(new byte[3], 0, 0)).isZero();
    assertThat(in.skip(1)).isZero();
    assertThat(in.available()).isZero();
  }

  @Example
  void bytesAreWrittenWhereTheNetworkReadsThem() throws Exception {
    withPool(
        4,
        3,
        pool -> {
          RegisteredOutputStream out = new RegisteredOutputStream(pool, AT_ONCE);
          out.write(new byte[] {1, 2, 3, 4, 5, 6});
          try (RegisteredChain chain = out.finish()) {
            RegisteredChain.Segment second = chain.segments().get(1);
            assertThat(second.length()).isEqualTo(2);
            ByteBuffer region = second.buffer().region().memory();
            assertThat(region.get(second.buffer().position() + 1)).isEqualTo((byte) 6);
            ByteBuf view = chain.asByteBuf();
            region.put(second.buffer().position(), (byte) 50);
            assertThat(view.getByte(4)).as("no copy").isEqualTo((byte) 50);
            view.release();
          }
        });
  }

  @Example
  void aPoolThatIsEmptyEndsTheWriting() throws Exception {
    withPool(
        4,
        2,
        pool -> {
          RegisteredOutputStream out = new RegisteredOutputStream(pool, AT_ONCE);
          assertThatThrownBy(() -> out.write(new byte[9]))
              .isInstanceOf(IOException.class)
              .hasMessageContaining("all 2 of 4 bytes are in use");
          assertThat(out.length()).isEqualTo(8);
          out.close();
          out.close();
          assertThat(pool.inUse()).isZero();
          assertThatThrownBy(() -> out.write(1)).isInstanceOf(IOException.class);
          assertThatThrownBy(out::finish).isInstanceOf(IllegalStateException.class);
        });
  }

  @Example
  void interruptingEndsTheWriting() throws Exception {
    withPool(
        4,
        1,
        pool -> {
          try (RegisteredOutputStream out =
              new RegisteredOutputStream(pool, Duration.ofSeconds(20))) {
            out.write(new byte[4]);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> out.write(1)).isInstanceOf(InterruptedIOException.class);
            assertThat(Thread.interrupted()).isTrue();
          }
        });
  }

  @Example
  void aViewOutlivesItsChain() throws Exception {
    withPool(
        2,
        2,
        pool -> {
          RegisteredOutputStream out = new RegisteredOutputStream(pool, AT_ONCE);
          out.write(new byte[] {1, 2, 3});
          RegisteredChain chain = out.finish();
          ByteBuf view = chain.asByteBuf();
          chain.close();
          chain.close();
          assertThat(ByteBufUtil.getBytes(view)).containsExactly(1, 2, 3);
          view.release();
          assertThat(pool.inUse()).isZero();
          assertThatThrownBy(() -> chain.openStream().read())
              .isInstanceOf(IllegalStateException.class);
        });
  }
}
