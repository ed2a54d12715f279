// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.coder;

import dev.anemone.beam.spec.ElementCoderSpec;
import dev.anemone.beam.spec.GroupingSpec;
import dev.anemone.runtime.spi.RecordEncoder;
import dev.anemone.runtime.spi.RecordSink;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues.SingleWindowedValue;

/**
 * Writes KV elements as the records of a keyed shuffle, as a {@link GroupingSpec} says. Keys are
 * the same when their bytes are, so arrays and enums group as they should. {@link GroupDecoder}
 * reads them.
 */
public final class KeyedRecordEncoder implements RecordEncoder {

  private final GroupingSpec grouping;
  private final Coder<Object> keyCoder;
  private final Coder<Object> valueCoder;
  private final Coder<BoundedWindow> windowCoder;
  private final ElementMetadataCodec metadata;

  /**
   * An encoder of records.
   *
   * @param keyCoder codes the key of an element
   * @param element codes the elements; its value coder must be a {@link KvCoder}
   */
  @SuppressWarnings("unchecked") // the values of a PCollection are those that its coder codes
  public KeyedRecordEncoder(GroupingSpec grouping, Coder<?> keyCoder, ElementCoderSpec element) {
    if (!(element.valueCoder() instanceof KvCoder<?, ?> kvCoder)) {
      throw new IllegalArgumentException(
          "A shuffle that groups by key needs elements that are pairs of key and value, coded by a"
              + " KvCoder, but their coder is "
              + element.valueCoder());
    }
    this.grouping = grouping;
    this.keyCoder = (Coder<Object>) keyCoder;
    this.valueCoder = (Coder<Object>) kvCoder.getValueCoder();
    this.windowCoder = (Coder<BoundedWindow>) element.windowCoder();
    this.metadata = new ElementMetadataCodec(element.windowCoder());
  }

  @Override
  public void encode(Object element, RecordSink sink) throws IOException {
    WindowedValue<?> windowed = (WindowedValue<?>) element;
    KV<?, ?> kv = (KV<?, ?>) windowed.getValue();
    switch (grouping.mode()) {
      case GLOBAL -> {
        keyCoder.encode(kv.getKey(), sink.key());
        writeValue(windowed, kv, sink);
      }
      case WINDOW_IN_KEY -> {
        if (windowed instanceof SingleWindowedValue single) {
          encodeInWindow(windowed, kv, single.getWindow(), sink);
        } else {
          for (BoundedWindow window : windowed.getWindows()) {
            encodeInWindow(windowed, kv, window, sink);
          }
        }
      }
      case MERGING -> {
        keyCoder.encode(kv.getKey(), sink.key());
        OutputStream value = sink.value();
        metadata.write(windowed, value);
        valueCoder.encode(kv.getValue(), value);
        sink.emit();
      }
    }
  }

  private void encodeInWindow(
      WindowedValue<?> windowed, KV<?, ?> kv, BoundedWindow window, RecordSink sink)
      throws IOException {
    OutputStream key = sink.key();
    keyCoder.encode(kv.getKey(), key);
    windowCoder.encode(window, key);
    writeValue(windowed, kv, sink);
  }

  private void writeValue(WindowedValue<?> windowed, KV<?, ?> kv, RecordSink sink)
      throws IOException {
    OutputStream value = sink.value();
    if (grouping.timestamps()) {
      TimestampCodec.write(windowed.getTimestamp(), value);
    }
    valueCoder.encode(kv.getValue(), value);
    sink.emit();
  }
}
