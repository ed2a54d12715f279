// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.io.BoundedSource;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.values.KV;

/**
 * Makes a range of {@link SyntheticRecords}. The whole splits into as many parts as it is told when
 * it is made, whatever the runner asks for; a part does not split further.
 */
final class SyntheticSource extends BoundedSource<KV<byte[], byte[]>> {
  private static final long serialVersionUID = 1;

  private final SyntheticRecords records;
  private final long from;
  private final long to;
  private final int parts;

  private SyntheticSource(SyntheticRecords records, long from, long to, int parts) {
    this.records = records;
    this.from = from;
    this.to = to;
    this.parts = parts;
  }

  static SyntheticSource of(SyntheticRecords records, int parts) {
    return new SyntheticSource(records, 0, records.count(), parts);
  }

  @Override
  public List<SyntheticSource> split(long desiredBundleSizeBytes, PipelineOptions options) {
    List<SyntheticSource> split = new ArrayList<>(parts);
    long size = to - from;
    for (int part = 0; part < parts; part++) {
      split.add(
          new SyntheticSource(
              records, from + size * part / parts, from + size * (part + 1) / parts, 1));
    }
    return split;
  }

  @Override
  public long getEstimatedSizeBytes(PipelineOptions options) {
    return (to - from) * SyntheticRecords.RECORD_BYTES;
  }

  @Override
  public Coder<KV<byte[], byte[]>> getOutputCoder() {
    return KvCoder.of(ByteArrayCoder.of(), ByteArrayCoder.of());
  }

  @Override
  public BoundedReader<KV<byte[], byte[]>> createReader(PipelineOptions options) {
    return new Reader(this);
  }

  /** Reads one part; used by one thread. */
  private static final class Reader extends BoundedReader<KV<byte[], byte[]>> {
    private final SyntheticSource source;
    private long next;
    private KV<byte[], byte[]> current;

    Reader(SyntheticSource source) {
      this.source = source;
      this.next = source.from;
    }

    @Override
    public boolean start() {
      return advance();
    }

    @Override
    public boolean advance() {
      if (next >= source.to) {
        current = null;
        return false;
      }
      current = KV.of(source.records.key(next), source.records.value(next));
      next++;
      return true;
    }

    @Override
    public KV<byte[], byte[]> getCurrent() {
      if (current == null) {
        throw new NoSuchElementException();
      }
      return current;
    }

    @Override
    public void close() {}

    @Override
    public SyntheticSource getCurrentSource() {
      return source;
    }
  }
}
