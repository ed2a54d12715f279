// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.anemone.ndp.engine.split.SplitBytes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

/** A file whose ranges move the clock is measured for a time, however fast they come. */
class NetworkMeterTest {

  private static final double MEGABYTE = 1e6;

  /** What opening the file and the first range take. */
  private static final long START_NANOS = 30_000_000;

  private static final int SAMPLE = 256 << 10;

  private long nanos;
  private long given;

  @Test
  void aSlowNetworkIsNotAskedForMoreThanTheSample() throws IOException {
    NetworkMeter meter = new NetworkMeter(true, () -> nanos);
    File file = new File(6 * MEGABYTE, 1 << 30);
    assertThat(meter.read(file, 0, file.size, SAMPLE, SAMPLE)).hasSize(SAMPLE);
    assertThat(meter.bytesPerSecond().orElseThrow()).isCloseTo(6 * MEGABYTE, within(1.0));
    assertThat(given).isEqualTo(SAMPLE);
  }

  @Test
  void aFasterOneIsReadForAFiftiethOfASecond() throws IOException {
    NetworkMeter meter = new NetworkMeter(true, () -> nanos);
    File file = new File(50 * MEGABYTE, 1 << 30);
    meter.read(file, 0, file.size, SAMPLE, SAMPLE);
    assertThat(meter.bytesPerSecond().orElseThrow()).isCloseTo(50 * MEGABYTE, within(1.0));
    assertThat(given).isBetween(1_000_000L, 2_500_000L);
  }

  @Test
  void aVeryFastOneIsNotReadForThatLong() throws IOException {
    NetworkMeter meter = new NetworkMeter(true, () -> nanos);
    File file = new File(1_000 * MEGABYTE, 1 << 30);
    meter.read(file, 0, file.size, 0, 0);
    assertThat(meter.bytesPerSecond().orElseThrow()).isCloseTo(1_000 * MEGABYTE, within(1e4));
    assertThat(given).isBetween(4L << 20, 5L << 20);
  }

  @Test
  void anotherFileIsNotReadToMeasureAgain() throws IOException {
    NetworkMeter meter = new NetworkMeter(true, () -> nanos);
    File first = new File(50 * MEGABYTE, 1 << 30);
    meter.read(first, 0, first.size, SAMPLE, SAMPLE);
    long measured = given;
    meter.read(first, 0, first.size, SAMPLE, SAMPLE);
    assertThat(given - measured).isEqualTo(SAMPLE);
  }

  @Test
  void aSampleIsLargerWhereItsBytesComeFast() throws IOException {
    File slow = new File(6 * MEGABYTE, 1 << 30);
    assertThat(new NetworkMeter(true, () -> nanos).read(slow, 0, slow.size, SAMPLE, 2 * SAMPLE))
        .hasSize(SAMPLE);
    assertThat(given).isEqualTo(SAMPLE);
    File fast = new File(12 * MEGABYTE, 1 << 30);
    assertThat(new NetworkMeter(true, () -> nanos).read(fast, 0, fast.size, SAMPLE, 2 * SAMPLE))
        .hasSize(2 * SAMPLE);
  }

  @Test
  void nothingIsReadOnlyToMeasureWhenTheRateIsKnown() throws IOException {
    NetworkMeter meter = new NetworkMeter(false, () -> nanos);
    File file = new File(6 * MEGABYTE, 1 << 30);
    meter.read(file, 0, file.size, 100_000, 100_000);
    assertThat(given).isEqualTo(100_000);
  }

  @Test
  void aFileThatEndsSoonSaysHowLongAllOfItTook() throws IOException {
    NetworkMeter meter = new NetworkMeter(true, () -> nanos);
    File file = new File(6 * MEGABYTE, 60_000);
    assertThat(meter.read(file, 0, file.size, SAMPLE, SAMPLE)).hasSize(60_000);
    assertThat(meter.bytesPerSecond().orElseThrow()).isCloseTo(60_000 / 0.04, within(1.0));
    assertThat(new NetworkMeter(true, () -> nanos).bytesPerSecond()).isEmpty();
  }

  @Test
  void aFileThatBecameShorterIsNoSample() {
    NetworkMeter meter = new NetworkMeter(true, () -> nanos);
    assertThatThrownBy(() -> meter.read(new File(6 * MEGABYTE, 60_000), 0, 70_000, SAMPLE, SAMPLE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("shorter");
  }

  private final class File implements SplitBytes {

    private final double bytesPerSecond;
    private final int size;

    File(double bytesPerSecond, int size) {
      this.bytesPerSecond = bytesPerSecond;
      this.size = size;
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public InputStream open(long position, long length) {
      int count = (int) Math.max(0, Math.min(length, size - position));
      nanos += (given == 0 ? START_NANOS : 0) + Math.round(count * 1e9 / bytesPerSecond);
      given += count;
      return new ByteArrayInputStream(new byte[count]);
    }

    @Override
    public void close() {}
  }
}
