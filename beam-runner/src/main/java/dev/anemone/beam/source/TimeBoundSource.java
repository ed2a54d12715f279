// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.io.UnboundedSource;
import org.apache.beam.sdk.io.UnboundedSource.CheckpointMark;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.display.DisplayData;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * An unbounded source that has nothing more when a reader has read for some time.
 *
 * @param <T> its elements
 * @param <M> how far a reader has come
 */
final class TimeBoundSource<T, M extends CheckpointMark> extends UnboundedSource<T, M> {

  private static final long serialVersionUID = 1L;

  private final UnboundedSource<T, M> source;
  private final Duration time;

  TimeBoundSource(UnboundedSource<T, M> source, Duration time) {
    this.source = source;
    this.time = time;
  }

  @Override
  public List<TimeBoundSource<T, M>> split(int desiredNumSplits, PipelineOptions options)
      throws Exception {
    List<TimeBoundSource<T, M>> splits = new ArrayList<>();
    for (UnboundedSource<T, M> split : source.split(desiredNumSplits, options)) {
      splits.add(new TimeBoundSource<>(split, time));
    }
    return splits;
  }

  @Override
  public UnboundedReader<T> createReader(PipelineOptions options, M mark) throws IOException {
    return new Reader(source.createReader(options, mark));
  }

  @Override
  public Coder<M> getCheckpointMarkCoder() {
    return source.getCheckpointMarkCoder();
  }

  @Override
  public Coder<T> getOutputCoder() {
    return source.getOutputCoder();
  }

  @Override
  public boolean requiresDeduping() {
    return source.requiresDeduping();
  }

  @Override
  public boolean offsetBasedDeduplicationSupported() {
    return source.offsetBasedDeduplicationSupported();
  }

  @Override
  public void validate() {
    source.validate();
  }

  @Override
  public void populateDisplayData(DisplayData.Builder builder) {
    builder.delegate(source);
  }

  private final class Reader extends UnboundedReader<T> {

    private final UnboundedReader<T> reader;
    private long end;

    Reader(UnboundedReader<T> reader) {
      this.reader = reader;
    }

    @Override
    public boolean start() throws IOException {
      end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(time.getMillis());
      return reader.start();
    }

    @Override
    public boolean advance() throws IOException {
      return System.nanoTime() - end < 0 && reader.advance();
    }

    @Override
    public T getCurrent() throws NoSuchElementException {
      return reader.getCurrent();
    }

    @Override
    public Instant getCurrentTimestamp() throws NoSuchElementException {
      return reader.getCurrentTimestamp();
    }

    @Override
    public byte[] getCurrentRecordId() throws NoSuchElementException {
      return reader.getCurrentRecordId();
    }

    @Override
    public byte[] getCurrentRecordOffset() {
      return reader.getCurrentRecordOffset();
    }

    @Override
    public Instant getWatermark() {
      return reader.getWatermark();
    }

    @Override
    public CheckpointMark getCheckpointMark() {
      return reader.getCheckpointMark();
    }

    @Override
    public long getSplitBacklogBytes() {
      return reader.getSplitBacklogBytes();
    }

    @Override
    public long getTotalBacklogBytes() {
      return reader.getTotalBacklogBytes();
    }

    @Override
    public UnboundedSource<T, ?> getCurrentSource() {
      return TimeBoundSource.this;
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }
}
