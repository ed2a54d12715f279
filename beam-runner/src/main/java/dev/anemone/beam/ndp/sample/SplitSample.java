// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp.sample;

import dev.anemone.beam.ndp.FileBytes;
import dev.anemone.beam.ndp.FileSplit;
import dev.anemone.beam.ndp.NdpSpec;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.engine.split.SplitBytes;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.format.CsvFormat.Compression;
import dev.anemone.ndp.format.FileFormat;
import dev.anemone.ndp.format.ParquetFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * The beginning of a split, to try operators on. Text is held in memory; of Parquet only as many
 * row groups are read as have their middle in the beginning.
 *
 * @param format of the bytes
 * @param bytes to read; closed by the owner of the sample
 * @param whole all of the sample
 * @param first a part of the sample from its beginning: an eighth of text, half of Parquet
 * @param storedBytes of the split that the sample stands for, as they are stored
 * @param extraSeconds core-seconds that it took to make it what the engine is given
 */
record SplitSample(
    FileFormat format,
    SplitBytes bytes,
    Split whole,
    Split first,
    double storedBytes,
    double extraSeconds)
    implements AutoCloseable {

  /** Shows what share of the rows a filter leaves, and costs a slow network little. */
  private static final int BYTES = 256 << 10;

  /** How often groups come again shows later; a slow network is not kept busy for that. */
  private static final int GROUPED_BYTES = 512 << 10;

  private static final int MOST_INFLATION = 4;
  private static final int PARQUET_BYTES = 8 << 20;

  /** Far enough from the whole to see how things grow, but no header or single record. */
  private static final int PARTS = 8;

  /**
   * A sample.
   *
   * @param operators that will be tried on it
   * @param network is told how fast the bytes come
   * @return empty for text that can only be read as a whole and is large
   */
  static Optional<SplitSample> of(
      NdpSpec spec, FileSplit split, List<RelationalOperator> operators, NetworkMeter network)
      throws IOException {
    FileBytes file = new FileBytes(split.file(), split.fileBytes());
    long end = split.start() + split.length();
    if (spec.format() instanceof ParquetFormat) {
      network.read(file, split.start(), end, 0, 0);
      long length = Math.min(split.length(), PARQUET_BYTES);
      return Optional.of(
          new SplitSample(
              spec.format(),
              file,
              new Split(split.start(), length),
              new Split(split.start(), length / 2),
              (double) length,
              0));
    }
    int wanted = operators.stream().anyMatch(SplitSample::groups) ? GROUPED_BYTES : BYTES;
    byte[] stored;
    try (file) {
      stored = network.read(file, split.start(), end, BYTES, wanted);
    }
    boolean all = stored.length == split.fileBytes();
    if (!(spec.format() instanceof CsvFormat csv)) {
      return text(spec.format(), stored, all, stored.length);
    }
    if (csv.compression() == Compression.GZIP) {
      long begin = ThreadTime.nanos();
      int most = MOST_INFLATION * wanted;
      byte[] text = inflated(stored, most);
      return text(uncompressed(csv), text, all && text.length < most, stored.length)
          .map(sample -> sample.with(ThreadTime.secondsSince(begin)));
    }
    if (csv.compression() == Compression.NONE) {
      return text(csv, stored, all, stored.length);
    }
    return all
        ? Optional.of(
            new SplitSample(
                csv, new MemoryBytes(stored), Split.WHOLE, Split.WHOLE, stored.length, 0))
        : Optional.empty();
  }

  private static boolean groups(RelationalOperator operator) {
    return operator instanceof Aggregate aggregate && !aggregate.groupBy().isEmpty();
  }

  /**
   * A sample of text, without the record in its end that is not all there.
   *
   * @param all whether nothing is missing
   * @param storedBytes that the text was stored as
   */
  private static Optional<SplitSample> text(
      FileFormat format, byte[] text, boolean all, double storedBytes) {
    int end = text.length;
    while (!all && end > 0 && text[end - 1] != '\n') {
      end--;
    }
    boolean anywhere = format instanceof CsvFormat csv && csv.quotedNewlines();
    if (end == 0 || (!all && anywhere)) {
      return Optional.empty();
    }
    return Optional.of(
        new SplitSample(
            format,
            new MemoryBytes(Arrays.copyOf(text, end)),
            new Split(0, end),
            new Split(0, end / PARTS),
            storedBytes * end / text.length,
            0));
  }

  private static CsvFormat uncompressed(CsvFormat csv) {
    return csv.withCompression(Compression.NONE);
  }

  private static byte[] inflated(byte[] stored, int most) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    byte[] piece = new byte[1 << 16];
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(stored))) {
      int count = in.read(piece);
      while (count >= 0 && text.size() < most) {
        text.write(piece, 0, count);
        count = in.read(piece);
      }
    } catch (EOFException e) {
      // The sample ends in the middle of the stream; what came before is good.
      return text.toByteArray();
    }
    return text.toByteArray();
  }

  private SplitSample with(double seconds) {
    return new SplitSample(format, bytes, whole, first, storedBytes, seconds);
  }

  /** Whether there are two sizes, from which a larger one can be concluded. */
  boolean hasPart() {
    return !first.equals(whole);
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
