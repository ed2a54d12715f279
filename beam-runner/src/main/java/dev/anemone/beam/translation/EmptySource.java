// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import java.util.List;
import java.util.NoSuchElementException;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.io.BoundedSource;
import org.apache.beam.sdk.options.PipelineOptions;

/** A source without elements: for a flatten of nothing, and for sources that split into nothing. */
final class EmptySource<T> extends BoundedSource<T> {

  private static final long serialVersionUID = 1L;

  private final Coder<T> coder;

  EmptySource(Coder<T> coder) {
    this.coder = coder;
  }

  @Override
  public List<EmptySource<T>> split(long desiredBundleSizeBytes, PipelineOptions options) {
    return List.of(this);
  }

  @Override
  public long getEstimatedSizeBytes(PipelineOptions options) {
    return 0;
  }

  @Override
  public BoundedReader<T> createReader(PipelineOptions options) {
    return new EmptyReader<>(this);
  }

  @Override
  public Coder<T> getOutputCoder() {
    return coder;
  }

  private static final class EmptyReader<T> extends BoundedReader<T> {

    private final EmptySource<T> source;

    EmptyReader(EmptySource<T> source) {
      this.source = source;
    }

    @Override
    public boolean start() {
      return false;
    }

    @Override
    public boolean advance() {
      return false;
    }

    @Override
    public T getCurrent() {
      throw new NoSuchElementException("an empty source has no elements");
    }

    @Override
    public void close() {}

    @Override
    public BoundedSource<T> getCurrentSource() {
      return source;
    }
  }
}
