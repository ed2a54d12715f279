// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.persist;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.io.FileIO;
import org.apache.beam.sdk.values.TimestampedValue;

/** Writes elements, each with its timestamp, one behind the other, as their coder does. */
final class RecordSink<T> implements FileIO.Sink<TimestampedValue<T>> {

  private static final long serialVersionUID = 1;

  private final Coder<TimestampedValue<T>> coder;
  private transient OutputStream out;

  RecordSink(Coder<T> coder) {
    this.coder = TimestampedValue.TimestampedValueCoder.of(coder);
  }

  @Override
  public void open(WritableByteChannel channel) {
    out = new BufferedOutputStream(Channels.newOutputStream(channel));
  }

  @Override
  public void write(TimestampedValue<T> element) throws IOException {
    coder.encode(element, out);
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }
}
