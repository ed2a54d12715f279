// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.coder;

import dev.anemone.beam.spec.GroupingSpec;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.VoidCoder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.values.WindowedValue;
import org.joda.time.Instant;

/**
 * Reads the keys and values of the records that {@link KeyedRecordEncoder} wrote. Which methods may
 * be used depends on the {@link GroupingSpec}.
 */
public final class GroupDecoder {

  private final GroupingSpec grouping;
  private final Coder<Object> keyCoder;
  private final Coder<Object> valueCoder;
  private final Coder<BoundedWindow> windowCoder;
  private final ElementMetadataCodec metadata;

  @SuppressWarnings("unchecked") // the values of a PCollection are those that its coder codes
  public GroupDecoder(
      GroupingSpec grouping,
      Coder<?> keyCoder,
      Coder<?> valueCoder,
      Coder<? extends BoundedWindow> windowCoder) {
    this.grouping = grouping;
    this.keyCoder = (Coder<Object>) keyCoder;
    this.valueCoder = (Coder<Object>) valueCoder;
    this.windowCoder = (Coder<BoundedWindow>) windowCoder;
    this.metadata = new ElementMetadataCodec(windowCoder);
  }

  public GroupingSpec grouping() {
    return grouping;
  }

  /** Reads the key of a group; what follows it in {@code key} is for {@link #readWindow}. */
  public Object readKey(InputStream key) throws IOException {
    return keyCoder.decode(key);
  }

  /** Reads the window of a group that is not of mode {@code MERGING}, after its key. */
  public BoundedWindow readWindow(InputStream key) throws IOException {
    return grouping.mode() == GroupingSpec.Mode.GLOBAL
        ? GlobalWindow.INSTANCE
        : windowCoder.decode(key);
  }

  /** Reads the timestamp that a value begins with, where the grouping has timestamps. */
  public Instant readTimestamp(InputStream value) throws IOException {
    return TimestampCodec.read(value);
  }

  /** Writes a timestamp where {@link #readTimestamp} reads one. */
  public void writeTimestamp(Instant timestamp, OutputStream value) throws IOException {
    TimestampCodec.write(timestamp, value);
  }

  /** Reads a value from its start, or after its timestamp if the grouping has timestamps. */
  public Object readValue(InputStream value) throws IOException {
    return valueCoder.decode(value);
  }

  /**
   * Reads the timestamp, windows and pane of an element of a group of mode {@code MERGING}. The
   * value, which follows, is left unread.
   */
  public WindowedValue<Void> readMetadata(InputStream value) throws IOException {
    return metadata.read(value, VoidCoder.of());
  }

  /** Reads a whole element of a group of mode {@code MERGING}. */
  public WindowedValue<Object> readElement(InputStream value) throws IOException {
    return metadata.read(value, valueCoder);
  }
}
