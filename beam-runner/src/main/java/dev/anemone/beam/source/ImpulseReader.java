// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.source;

import dev.anemone.runtime.spi.Receiver;
import dev.anemone.runtime.spi.SourceReader;
import org.apache.beam.sdk.values.WindowedValues;

/** Gives one empty byte array in the global window. */
public final class ImpulseReader implements SourceReader {

  @Override
  public void read(Receiver output) throws Exception {
    output.accept(WindowedValues.valueInGlobalWindow(new byte[0]));
  }
}
