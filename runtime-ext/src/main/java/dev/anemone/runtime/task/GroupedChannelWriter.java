// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.task;

import dev.anemone.runtime.record.ByteSink;
import dev.anemone.runtime.record.RecordWriter;
import dev.anemone.runtime.spi.Receiver;
import dev.anemone.runtime.spi.RecordEncoder;
import dev.anemone.runtime.spi.RecordSink;
import java.io.IOException;
import java.io.OutputStream;

/** Writes the elements of a grouped channel: the tag goes before the key. */
final class GroupedChannelWriter implements Receiver, RecordSink {

  private final ByteSink key = new ByteSink();
  private final ByteSink value = new ByteSink();
  private final int tag;
  private final RecordEncoder encoder;
  private final RecordWriter writer;

  GroupedChannelWriter(int tag, RecordEncoder encoder, RecordWriter writer) {
    this.tag = tag;
    this.encoder = encoder;
    this.writer = writer;
    beginRecord();
  }

  private void beginRecord() {
    key.reset();
    key.write(tag);
    value.reset();
  }

  @Override
  public void accept(Object element) throws Exception {
    encoder.encode(element, this);
  }

  @Override
  public OutputStream key() {
    return key;
  }

  @Override
  public OutputStream value() {
    return value;
  }

  @Override
  public void emit() throws IOException {
    writer.write(key, value);
    beginRecord();
  }
}
