// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.feed;

import com.sun.jna.LastErrorException;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much a pipe holds. Linux gives it 64 KB, so that who writes and who reads wait for each other
 * all the time, and more to those who ask, which Java cannot.
 */
final class PipeSize {

  /** As much as everybody may ask for ({@code /proc/sys/fs/pipe-max-size}). */
  static final int WANTED_BYTES = 1 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(PipeSize.class);
  private static final AtomicBoolean TOLD = new AtomicBoolean();

  private PipeSize() {}

  /** Functions of the system, which throw the system's error. */
  interface SystemCalls extends Library {

    /** For writing, without waiting, and not for processes that are started. */
    int WRITE = 1 | 04000 | 02000000;

    /** Sets the size of a pipe, and returns it. */
    int SET_PIPE_SIZE = 1031;

    int open(String path, int flags) throws LastErrorException;

    int fcntl(int file, int command, int argument) throws LastErrorException;

    int close(int file) throws LastErrorException;
  }

  /**
   * Lets a pipe hold {@value #WANTED_BYTES} bytes. Thread-safe.
   *
   * @param pipe one that is open on both sides, which keeps its size as long as that is so
   * @return how many it holds; empty where that is not known, for a reason that is in the log, once
   *     in a JVM
   */
  static OptionalInt widen(Path pipe) {
    if (!Platform.isLinux()) {
      return OptionalInt.empty();
    }
    try {
      SystemCalls system = Native.load("c", SystemCalls.class);
      int file = system.open(pipe.toString(), SystemCalls.WRITE);
      try {
        return OptionalInt.of(system.fcntl(file, SystemCalls.SET_PIPE_SIZE, WANTED_BYTES));
      } finally {
        system.close(file);
      }
    } catch (LastErrorException | LinkageError e) {
      if (TOLD.compareAndSet(false, true)) {
        LOG.warn(
            "Plans read their splits through small pipes, which takes longer: {}", e.toString());
      }
      return OptionalInt.empty();
    }
  }
}
