package dev.anemone.beam.ndp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

/** A stream that moves the clock is measured for a time, however fast it is. */
class NetworkMeterTest {

  private static final double MEGABYTE = 1e6;

  /** What opening the file and the first piece take. */
  private static final long START_NANOS = 30_000_000;

  private long nanos;
  private long given;

  @Test
  void aSlowNetworkIsNotAskedForMoreThanATenthOfASecondBrings() throws IOException {
    NetworkMeter meter = new NetworkMeter(true, () -> nanos);
    InputStream file = file(6 * MEGABYTE, Long.MAX_VALUE);
    assertThat(meter.read(file, 512 << 10)).hasSize(512 << 10);
    meter.readOn(file);
    assertThat(meter.bytesPerSecond().orElseThrow()).isCloseTo(6 * MEGABYTE, within(1.0));
    assertThat(given).isBetween(600_000L, 900_000L);
  }

  @Test
  void aFastOneIsNotReadForATenthOfASecond() throws IOException {
    NetworkMeter meter = new NetworkMeter(true, () -> nanos);
    meter.readOn(file(1_000 * MEGABYTE, Long.MAX_VALUE));
    assertThat(meter.bytesPerSecond().orElseThrow()).isCloseTo(1_000 * MEGABYTE, within(1e4));
    assertThat(given).isLessThan(NetworkMeter.mostBytes() + (128L << 10));
  }

  @Test
  void nothingIsReadOnlyToMeasureWhenTheRateIsKnown() throws IOException {
    NetworkMeter meter = new NetworkMeter(false, () -> nanos);
    InputStream file = file(6 * MEGABYTE, Long.MAX_VALUE);
    meter.read(file, 100_000);
    meter.readOn(file);
    assertThat(given).isEqualTo(100_000);
  }

  @Test
  void aFileThatEndsSoonSaysHowLongAllOfItTook() throws IOException {
    NetworkMeter meter = new NetworkMeter(true, () -> nanos);
    InputStream file = file(6 * MEGABYTE, 60_000);
    assertThat(meter.read(file, 512 << 10)).hasSize(60_000);
    meter.readOn(file);
    assertThat(meter.bytesPerSecond().orElseThrow()).isCloseTo(60_000 / 0.04, within(1.0));
    assertThat(new NetworkMeter(true, () -> nanos).bytesPerSecond()).isEmpty();
  }

  private InputStream file(double bytesPerSecond, long size) {
    return new InputStream() {

      @Override
      public int read() {
        throw new UnsupportedOperationException("pieces are read");
      }

      @Override
      public int read(byte[] bytes, int offset, int length) {
        int count = (int) Math.min(length, size - given);
        if (count == 0) {
          return -1;
        }
        nanos += (given == 0 ? START_NANOS : 0) + Math.round(count * 1e9 / bytesPerSecond);
        given += count;
        return count;
      }
    };
  }
}
