// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.persist;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.TimestampedValue;

/** Reads what {@link RecordSink} has written to a file. */
final class ReadRecordsFn<T> extends DoFn<String, T> {

  private static final long serialVersionUID = 1;

  private final Coder<TimestampedValue<T>> coder;

  ReadRecordsFn(Coder<T> coder) {
    this.coder = TimestampedValue.TimestampedValueCoder.of(coder);
  }

  @ProcessElement
  public void processElement(@Element String file, OutputReceiver<T> output) throws IOException {
    try (InputStream in =
        new BufferedInputStream(
            Channels.newInputStream(FileSystems.open(FileSystems.matchNewResource(file, false))))) {
      while (isMore(in)) {
        TimestampedValue<T> element = coder.decode(in);
        output.outputWithTimestamp(element.getValue(), element.getTimestamp());
      }
    }
  }

  private static boolean isMore(InputStream in) throws IOException {
    in.mark(1);
    boolean more = in.read() >= 0;
    in.reset();
    return more;
  }
}
