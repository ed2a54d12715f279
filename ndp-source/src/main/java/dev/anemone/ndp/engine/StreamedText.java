// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.engine.feed.NamedPipe;
import dev.anemone.ndp.engine.feed.PipeFeed;
import dev.anemone.ndp.engine.inflate.DamagedStreamException;
import dev.anemone.ndp.engine.inflate.InflatedBytes;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.engine.split.SplitBytes;
import dev.anemone.ndp.format.CsvFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * A split of text that lies elsewhere, which the engine reads while it comes: once, and only by one
 * query. Compressed text is decompressed on the way: the engine does not do that with a pipe, and
 * takes a file of Zstandard that is cut off for a shorter one. Small splits of other text, and all
 * where there are no named pipes, are copied first.
 */
final class StreamedText implements PlanInput {

  /** To copy less takes less time than to make a pipe. */
  private static final long LEAST_BYTES = 8L << 20;

  private final CsvFormat stored;
  private final RowType columns;
  private final SplitBytes file;
  private final Split split;

  /** What the pipe has of the file. */
  private final CsvFormat format;

  private final SplitBytes bytes;
  private final Split range;
  private boolean carriageReturns;
  private Feeds feeds = Optional::empty;
  private volatile Optional<PipeFeed> feed = Optional.empty();

  /** Starts feeds of the split, where there is a pipe. */
  @FunctionalInterface
  private interface Feeds {
    Optional<PipeFeed> start();
  }

  /**
   * An input.
   *
   * @param stored how the rows lie in the file
   * @param file used until this is stopped; left open
   * @param split of the file; all of it where it is compressed
   */
  StreamedText(CsvFormat stored, RowType columns, SplitBytes file, Split split) {
    this.stored = stored;
    this.columns = columns;
    this.file = file;
    this.split = split;
    this.format = stored.withCompression(CsvFormat.Compression.NONE);
    this.bytes = isCompressed() ? new InflatedBytes(file, stored.compression()) : file;
    this.range = isCompressed() ? Split.WHOLE : split;
  }

  private boolean isCompressed() {
    return stored.compression() != CsvFormat.Compression.NONE;
  }

  @Override
  public void place(Path place, LongConsumer watch) throws IOException {
    CsvScan.requireDivisible(file, stored, split);
    long from;
    long length;
    try (CsvRecords records = new CsvRecords(bytes, format, watch)) {
      from = records.boundaryAt(range.start());
      carriageReturns = records.endWithCarriageReturn(from);
      length = records.boundaryAt(Math.max(from, range.end())) - from;
    }
    if (length >= LEAST_BYTES && isPipe(place)) {
      feeds =
          () ->
              Optional.of(
                  PipeFeed.start(
                      place, new LimitedLines(bytes), from, length, () -> watch.accept(0)));
      feed = feeds.start();
    } else {
      try (RangeCopy copy = new RangeCopy(bytes, place, watch)) {
        copy.range(from, length, 0);
      }
    }
  }

  private static boolean isPipe(Path place) throws IOException {
    try {
      return NamedPipe.make(place);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a pipe was made", e);
    }
  }

  @Override
  public void readAgain() {
    stop();
    feed = feeds.start();
  }

  @Override
  public Optional<RuntimeException> failure() {
    return feed.flatMap(PipeFeed::failure)
        .map(
            e ->
                e instanceof RuntimeException unchecked
                    ? unchecked
                    : new NdpEngineException("the plan failed: " + e.getMessage(), e));
  }

  /** Damage may have been decompressed to what looks like text, until a checksum tells. */
  @Override
  public boolean mayBeDamaged(String message) {
    return ParquetDamage.mayCause(message) || (isCompressed() && message.contains("CSV Error"));
  }

  @Override
  public Optional<String> damage(
      Connection database,
      RowType scan,
      GroupFilter wanted,
      Path place,
      ParquetDamage.StatementWatch running)
      throws IOException {
    stop();
    if (isCompressed()) {
      try (InputStream text = bytes.open(0, bytes.size())) {
        text.transferTo(OutputStream.nullOutputStream());
      } catch (DamagedStreamException e) {
        return Optional.of(e.getMessage());
      }
    }
    return TextDamage.find(format, bytes, bytes.name());
  }

  @Override
  public void wake() {
    feed.ifPresent(PipeFeed::wake);
  }

  @Override
  public void stop() {
    feed.ifPresent(PipeFeed::close);
  }

  @Override
  public ScanQuery query(
      Connection database, RowType scan, GroupFilter wanted, Path place, LongConsumer watch) {
    return ScanQuery.of(CsvScan.streamed(columns, format, carriageReturns, range, scan, place));
  }
}
