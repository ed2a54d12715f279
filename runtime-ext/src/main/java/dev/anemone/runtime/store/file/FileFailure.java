// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.file;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;

/** Makes exceptions of file channels say what was done, to which file, and what space is left. */
final class FileFailure {

  private FileFailure() {}

  /** A write of so many bytes that failed. */
  static IOException writing(Path file, long bytes, long offset, IOException cause) {
    return of("write " + bytes + " bytes at byte " + offset + " of " + file, file, cause);
  }

  /** A read of so many bytes that failed. */
  static IOException reading(Path file, long bytes, long offset, IOException cause) {
    return of("read " + bytes + " bytes at byte " + offset + " of " + file, file, cause);
  }

  /** Something else that failed, as in "cannot create x". */
  static IOException of(String action, Path file, IOException cause) {
    if (cause instanceof ClosedByInterruptException || cause instanceof InterruptedIOException) {
      InterruptedIOException interrupted =
          new InterruptedIOException("cannot " + action + ": the thread was interrupted");
      interrupted.initCause(cause);
      return interrupted;
    }
    return new IOException(
        "cannot "
            + action
            + " ("
            + usableBytes(file)
            + " bytes of usable space left): "
            + (cause.getMessage() == null ? cause : cause.getMessage()),
        cause);
  }

  /** The file may be gone already, and its directory too. */
  private static long usableBytes(Path file) {
    Path existing = file.toAbsolutePath();
    while (existing.getParent() != null && !existing.toFile().exists()) {
      existing = existing.getParent();
    }
    return existing.toFile().getUsableSpace();
  }
}
