// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class HistogramSumTest {

  private static final int PARTITIONS = 1_000_000;

  @Provide
  Arbitrary<long[]> sizes() {
    Arbitrary<Long> size =
        Arbitraries.oneOf(Arbitraries.just(0L), Arbitraries.longs().between(0, Long.MAX_VALUE / 2));
    return size.array(long[].class).ofMaxSize(300);
  }

  private static HistogramSum sum(int partitions, byte[]... histograms) {
    HistogramSum sum = new HistogramSum("m", partitions);
    for (byte[] histogram : histograms) {
      sum.add(ByteBuffer.wrap(histogram));
    }
    return sum;
  }

  @Property(tries = 300)
  void aHistogramIsReadAsItWasWritten(@ForAll("sizes") long[] sizes) {
    SizeHistogram histogram = SizeHistogram.of("m", sizes);

    assertThat(sum(sizes.length, histogram.toBytes()).toHistogram()).isEqualTo(histogram);
  }

  @Property(tries = 300)
  void theSumIsThatOfMerging(@ForAll("sizes") long[] one, @ForAll("sizes") long[] two) {
    SizeHistogram first = SizeHistogram.of("m", one);
    SizeHistogram second = SizeHistogram.of("m", Arrays.copyOf(two, one.length));
    ByteBuffer both = ByteBuffer.allocateDirect(first.toBytes().length).put(first.toBytes()).flip();
    HistogramSum sum = sum(one.length, second.toBytes());
    sum.add(both);

    assertThat(both.hasRemaining()).isFalse();
    assertThat(sum.toHistogram()).isEqualTo(first.merge(second));
  }

  @Property(tries = 300)
  void bytesThatWereCutOffOrChangedNeverDoMoreThanFail(
      @ForAll("sizes") long[] sizes, @ForAll Random random) {
    byte[] bytes = SizeHistogram.of("m", sizes).toBytes();
    byte[] bad = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
    if (bad.length > 0) {
      bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
    }
    HistogramSum sum = new HistogramSum("m", sizes.length);
    try {
      sum.add(ByteBuffer.wrap(bad));
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageContaining("cannot add the histogram of a task to m: ");
      return;
    }
    assertThat(Arrays.stream(sum.toHistogram().toArray())).allMatch(size -> size >= 0);
  }

  @Test
  void emptyPartitionsTakeNoRoom() {
    long[] sizes = new long[PARTITIONS];
    sizes[999_999] = 1L << 40;

    assertThat(SizeHistogram.of("m", new long[PARTITIONS]).toBytes()).hasSize(3);
    assertThat(SizeHistogram.of("m", sizes).toBytes()).hasSize(3 + 3 + 6);
    assertThat(SizeHistogram.of("m", new long[] {1, 127, 128, Long.MAX_VALUE}).toBytes())
        .hasSize(1 + 2 + 2 + 3 + 10);
  }

  @Test
  void saysWhatIsWrongWithTheBytes() {
    assertThatThrownBy(() -> sum(3, new byte[] {4}))
        .hasMessageContaining("it is of 4 partitions, not 3");
    assertThatThrownBy(() -> sum(3).add(ByteBuffer.allocate(0)))
        .hasMessageContaining("it is cut off after 0 bytes");
    assertThatThrownBy(() -> sum(3, new byte[] {3, 0}))
        .hasMessageContaining("it is cut off after 2 bytes");
    assertThatThrownBy(() -> sum(3, new byte[] {3, 1, 5, 1, 5}))
        .hasMessageContaining("1 empty partitions from 2 on are too many");
    assertThatThrownBy(() -> sum(3, new byte[] {3, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1}))
        .hasMessageContaining("has more than 9 bytes");
    assertThatThrownBy(() -> new HistogramSum("m", -1)).hasMessageContaining("-1 partitions");
  }

  @Test
  void refusesASumThatIsTooLarge() {
    byte[] large = SizeHistogram.of("m", new long[] {Long.MAX_VALUE}).toBytes();

    assertThatThrownBy(() -> sum(1, large, large)).isInstanceOf(ArithmeticException.class);
  }

  @Test
  void manyLargeHistogramsAreAddedWithoutFurtherMemory() {
    Random random = new Random(1);
    byte[][] encoded = new byte[4][];
    long[] expected = new long[PARTITIONS];
    for (int kind = 0; kind < encoded.length; kind++) {
      long[] sizes = new long[PARTITIONS];
      int filled = PARTITIONS / (8 << kind);
      for (int i = 0; i < filled; i++) {
        sizes[random.nextInt(PARTITIONS)] = random.nextInt(1 << 20);
      }
      encoded[kind] = SizeHistogram.of("m", sizes).toBytes();
      for (int partition = 0; partition < PARTITIONS; partition++) {
        expected[partition] += sizes[partition] * 250;
      }
    }
    ByteBuffer[] buffers = Arrays.stream(encoded).map(ByteBuffer::wrap).toArray(ByteBuffer[]::new);
    HistogramSum sum = new HistogramSum("m", PARTITIONS);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();

    long before = threads.getThreadAllocatedBytes(thread);
    for (int task = 0; task < 1_000; task++) {
      sum.add(buffers[task % buffers.length].rewind());
    }
    long allocated = threads.getThreadAllocatedBytes(thread) - before;

    assertThat(allocated).isLessThan(64 << 10);
    assertThat(sum.toHistogram()).isEqualTo(SizeHistogram.of("m", expected));
  }
}
