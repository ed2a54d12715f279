// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A control group of Linux's, whose limits hold for the processes that {@link #command} starts. It
 * is removed when it is closed, or else when the JVM ends. Used by one thread.
 */
public final class ControlGroup implements AutoCloseable {
  private static final Duration TIME_TO_END = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(50);
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final Path directory;
  private final Thread removal;

  private ControlGroup(Path directory) {
    this.directory = directory;
    // Processes that still run are killed by a hook of their own; the kernel then frees the group.
    this.removal = new Thread(this::removeAtEnd);
  }

  /**
   * Makes a group.
   *
   * @param limits what its files get, by their names
   * @throws IOException when this user may not make it, or the kernel refuses a limit; then there
   *     is none
   */
  public static ControlGroup create(GroupController controller, Map<String, String> limits)
      throws IOException {
    String name =
        "anemone-evaluation-" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();
    ControlGroup group = new ControlGroup(controller.createGroup(name));
    try {
      for (Map.Entry<String, String> limit : limits.entrySet()) {
        group.limit(limit.getKey(), limit.getValue());
      }
    } catch (IOException | RuntimeException refused) {
      Files.delete(group.directory);
      throw refused;
    }
    Runtime.getRuntime().addShutdownHook(group.removal);
    return group;
  }

  /** Where the kernel shows it. */
  Path directory() {
    return directory;
  }

  /**
   * Changes a limit.
   *
   * @param file that shows it
   * @throws IOException when the kernel refuses it
   */
  public void limit(String file, String value) throws IOException {
    Files.writeString(directory.resolve(file), value);
  }

  /** The command that runs this command in the group, from its first instruction on. */
  public List<String> command(List<String> command) {
    String script = "echo $$ > \"$0\" && exec \"$@\"";
    return Arguments.of("/bin/sh", "-c", script, directory.resolve("cgroup.procs"), command);
  }

  /** Removes the group, in which nothing may run any more; the message says what is left. */
  @Override
  public void close() throws IOException {
    Runtime.getRuntime().removeShutdownHook(removal);
    remove();
  }

  private void removeAtEnd() {
    try {
      remove();
    } catch (IOException left) {
      System.err.println("evaluation/run: " + left.getMessage());
    }
  }

  private void remove() throws IOException {
    long start = System.nanoTime();
    while (true) {
      try {
        Files.delete(directory);
        return;
      } catch (NoSuchFileException removed) {
        return;
      } catch (IOException busy) {
        if (System.nanoTime() - start > TIME_TO_END.toNanos()) {
          throw new IOException(
              ("The control group %s cannot be removed: %s. Remove it with rmdir when the processes"
                      + " in its file cgroup.procs have ended.")
                  .formatted(directory, busy),
              busy);
        }
        LockSupport.parkNanos(POLL.toNanos());
      }
    }
  }
}
