// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.engine.feed.NamedPipe;
import dev.anemone.ndp.engine.feed.PipeFeed;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.engine.split.SplitBytes;
import dev.anemone.ndp.format.CsvFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * A split of text that lies elsewhere, which the engine reads while it comes: once, and only by one
 * query. Small splits, and all where there are no named pipes, are copied first.
 */
final class StreamedText implements PlanInput {

  /** To copy less takes less time than to make a pipe. */
  private static final long LEAST_BYTES = 8L << 20;

  private final CsvFormat format;
  private final RowType columns;
  private final SplitBytes bytes;
  private final Split split;
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
   * @param format of a file that is not compressed
   * @param bytes used until this is stopped; left open
   */
  StreamedText(CsvFormat format, RowType columns, SplitBytes bytes, Split split) {
    this.format = format;
    this.columns = columns;
    this.bytes = bytes;
    this.split = split;
  }

  @Override
  public void place(Path file, LongConsumer watch) throws IOException {
    long from;
    long length;
    try (CsvRecords records = new CsvRecords(bytes, format, watch)) {
      from = records.boundaryAt(split.start());
      carriageReturns = records.endWithCarriageReturn(from);
      length = records.boundaryAt(Math.max(from, split.end())) - from;
    }
    if (length >= LEAST_BYTES && isPipe(file)) {
      feeds = () -> Optional.of(PipeFeed.start(file, bytes, from, length, () -> watch.accept(0)));
      feed = feeds.start();
    } else {
      try (RangeCopy copy = new RangeCopy(bytes, file, watch)) {
        copy.range(from, length, 0);
      }
    }
  }

  private static boolean isPipe(Path file) throws IOException {
    try {
      return NamedPipe.make(file);
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

  @Override
  public Optional<String> damage(
      Connection database,
      RowType scan,
      GroupFilter wanted,
      Path file,
      ParquetDamage.StatementWatch running)
      throws IOException {
    stop();
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
      Connection database, RowType scan, GroupFilter wanted, Path file, LongConsumer watch) {
    return ScanQuery.of(CsvScan.streamed(columns, format, carriageReturns, split, scan, file));
  }
}
