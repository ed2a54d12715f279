// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.coder;

import dev.anemone.beam.spec.ElementCoderSpec;
import dev.anemone.runtime.spi.ElementDecoder;
import dev.anemone.runtime.spi.ElementEncoder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.values.WindowedValue;

/** Codes elements of plain edges: what {@link ElementMetadataCodec} writes, then the value. */
public final class WindowedValueCodec implements ElementEncoder, ElementDecoder {

  private final ElementMetadataCodec metadata;
  private final Coder<Object> valueCoder;

  @SuppressWarnings("unchecked") // the values of a PCollection are those that its coder codes
  public WindowedValueCodec(ElementCoderSpec spec) {
    this.metadata = new ElementMetadataCodec(spec.windowCoder());
    this.valueCoder = (Coder<Object>) spec.valueCoder();
  }

  @Override
  public void encode(Object element, OutputStream out) throws IOException {
    WindowedValue<?> windowed = (WindowedValue<?>) element;
    metadata.write(windowed, out);
    valueCoder.encode(windowed.getValue(), out);
  }

  @Override
  public Object decode(InputStream in) throws IOException {
    return metadata.read(in, valueCoder);
  }
}
