// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.spi;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/**
 * A file that all attempts of a task agree on: whichever publishes a draft first decides for every
 * one that comes after it, also for those that run beside it. It lies in the directory of the job,
 * so it outlives the attempt, its container and its machine, and goes with the job.
 */
public interface AgreedFile {

  /** What the attempts have agreed on, if they have; the caller closes it. */
  Optional<InputStream> open() throws IOException;

  /** Begins a draft. Several attempts may have one at the same time. */
  Draft begin() throws IOException;

  /** What an attempt proposes. Used by one thread. */
  interface Draft extends Closeable {

    /** Where to write it; closed by {@link #publish} and {@link #close}. */
    OutputStream out();

    /** Makes the draft, as a whole, what is agreed on, unless something is. Called at most once. */
    void publish() throws IOException;

    /** Drops a draft that was not published. */
    @Override
    void close() throws IOException;
  }
}
