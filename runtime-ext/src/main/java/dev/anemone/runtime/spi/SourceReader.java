// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.spi;

import java.util.Optional;

/** Reads one part of a source. Used once, by one thread. */
public interface SourceReader {

  /**
   * Reads the whole part, in order, handing each element to {@code output}.
   *
   * @throws Exception when the part cannot be read, or what {@code output} threw
   */
  void read(Receiver output) throws Exception;

  /**
   * How far {@link #read} is, from 0 to 1; 0 where that is not known. Any thread may ask, at any
   * time.
   */
  default double fraction() {
    return 0;
  }

  /**
   * What is reported to the client for this part when the task succeeds, see {@link
   * dev.anemone.runtime.engine.JobResult#reports()}. Asked for after the part was read.
   */
  default Optional<byte[]> report() {
    return Optional.empty();
  }
}
