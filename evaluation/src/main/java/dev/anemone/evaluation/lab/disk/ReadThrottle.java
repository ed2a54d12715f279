// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.disk;

import dev.anemone.evaluation.lab.ExperimentFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Limits the reads that processes may do on one disk per second, with a control group of its own:
 * what a disk with a moving head does to random reads, without one. The group is removed when the
 * throttle is closed, or else when the JVM ends.
 */
public final class ReadThrottle implements AutoCloseable {
  private static final Duration TIME_TO_END = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(50);

  private final Path group;
  private final Thread removal;

  private ReadThrottle(Path group) {
    this.group = group;
    // Processes that still run are killed by a hook of their own; the kernel then frees the group.
    this.removal = new Thread(this::removeAtEnd);
  }

  /**
   * Starts to limit. Processes that {@link #command} starts are limited together.
   *
   * @throws ExperimentFailure if this machine cannot limit reads, or this user may not
   * @throws IOException if the kernel's files cannot be read
   */
  public static ReadThrottle start(BlockDevice device, int readsPerSecond) throws IOException {
    return start(IoController.find(), device, readsPerSecond);
  }

  static ReadThrottle start(IoController controller, BlockDevice device, int readsPerSecond) {
    String name = "anemone-evaluation-" + ProcessHandle.current().pid();
    Path group;
    try {
      group = controller.createGroup(name, device, readsPerSecond);
    } catch (IOException refused) {
      throw new ExperimentFailure(
          refused,
          "The reads of device %s cannot be throttled: %s. Measure as root, where the control groups"
              + " in %s can be written.",
          device,
          refused,
          controller.root());
    }
    ReadThrottle throttle = new ReadThrottle(group);
    Runtime.getRuntime().addShutdownHook(throttle.removal);
    return throttle;
  }

  /** The command that runs this command under the limit, from its first instruction on. */
  public List<String> command(List<String> command) {
    List<String> limited =
        new ArrayList<>(
            List.of(
                "/bin/sh",
                "-c",
                "echo $$ > \"$0\" && exec \"$@\"",
                group.resolve("cgroup.procs").toString()));
    limited.addAll(command);
    return limited;
  }

  /**
   * Removes the limit. All processes under it must have ended, or been killed.
   *
   * @throws IOException if one of them does not end; names the directory that is left
   */
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
        Files.delete(group);
        return;
      } catch (NoSuchFileException removed) {
        return;
      } catch (IOException busy) {
        if (System.nanoTime() - start > TIME_TO_END.toNanos()) {
          throw new IOException(
              "The control group "
                  + group
                  + " cannot be removed: "
                  + busy
                  + ". Remove it with rmdir when the processes in its file cgroup.procs have"
                  + " ended.",
              busy);
        }
        LockSupport.parkNanos(POLL.toNanos());
      }
    }
  }
}
