// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.task;

import dev.anemone.runtime.record.ByteSink;
import dev.anemone.runtime.record.RecordWriter;
import dev.anemone.runtime.spi.ElementEncoder;
import dev.anemone.runtime.spi.Receiver;

/**
 * Writes the elements of a channel that is not grouped: the key is the tag, the value the element.
 */
final class ChannelWriter implements Receiver {

  private final ByteSink key = new ByteSink();
  private final ByteSink value = new ByteSink();
  private final ElementEncoder encoder;
  private final RecordWriter writer;

  ChannelWriter(int tag, ElementEncoder encoder, RecordWriter writer) {
    this.key.write(tag);
    this.encoder = encoder;
    this.writer = writer;
  }

  @Override
  public void accept(Object element) throws Exception {
    value.reset();
    encoder.encode(element, value);
    writer.write(key, value);
  }
}
