// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.feed;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Named pipes of POSIX, which Java cannot make. */
public final class NamedPipe {

  private static final Logger LOG = LoggerFactory.getLogger(NamedPipe.class);

  /** The command only asks the file system for a name; what takes longer hangs. */
  private static final long PATIENCE_SECONDS = 10;

  private static final AtomicBoolean TOLD = new AtomicBoolean();

  private NamedPipe() {}

  /**
   * Makes one that only this user may open. Thread-safe.
   *
   * @param path of the new pipe
   * @return false where there are none: the reason is in the log, once in a JVM
   * @throws InterruptedException when the thread is interrupted
   */
  public static boolean make(Path path) throws InterruptedException {
    try {
      Process command =
          new ProcessBuilder("mkfifo", "-m", "600", path.toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      try {
        if (command.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && command.exitValue() == 0) {
          return true;
        }
      } finally {
        command.destroyForcibly();
      }
      tell("mkfifo made no pipe at " + path);
    } catch (IOException e) {
      tell(e.getMessage());
    }
    return false;
  }

  private static void tell(String reason) {
    if (TOLD.compareAndSet(false, true)) {
      LOG.warn("Plans read copies of their splits, since there are no named pipes: {}", reason);
    }
  }
}
