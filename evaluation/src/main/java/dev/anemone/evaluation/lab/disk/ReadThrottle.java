// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.disk;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.process.Arguments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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

  /** Starts to limit what {@link #command} starts; fails where this user or machine cannot. */
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
          "The reads of device %s cannot be throttled: %s. Measure as root, where the control"
              + " groups in %s can be written.",
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
    String script = "echo $$ > \"$0\" && exec \"$@\"";
    return Arguments.of("/bin/sh", "-c", script, group.resolve("cgroup.procs"), command);
  }

  /** Removes the limit, under which nothing may run any more; the message says what is left. */
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
              ("The control group %s cannot be removed: %s. Remove it with rmdir when the processes"
                      + " in its file cgroup.procs have ended.")
                  .formatted(group, busy),
              busy);
        }
        LockSupport.parkNanos(POLL.toNanos());
      }
    }
  }

  /** The controller that can limit reads, {@code blkio} (version 1) or {@code io} (2). */
  record IoController(Version version, Path root) {
    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
    private static final int MOUNT_POINT = 4;

    enum Version {
      V1("blkio.throttle.read_iops_device", ""),
      V2("io.max", "riops=");

      private final String limitFile;
      private final String limitPrefix;

      Version(String limitFile, String limitPrefix) {
        this.limitFile = limitFile;
        this.limitPrefix = limitPrefix;
      }
    }

    /** The controller of this machine; fails if there is none. */
    static IoController find() throws IOException {
      if (!Files.isReadable(MOUNTS)) {
        throw missing("this system has no " + MOUNTS);
      }
      return find(Files.readAllLines(MOUNTS))
          .orElseThrow(
              () ->
                  missing(
                      "neither the controller blkio of control groups version 1 nor io of version 2"
                          + " is mounted here"));
    }

    private static ExperimentFailure missing(String reason) {
      return new ExperimentFailure(
          "The disk cannot be throttled, so it will not behave like one with a moving head: %s."
              + " Measure as root on Linux with one of the two.",
          reason);
    }

    /** The controller among the mounts of a process, in the form of proc_pid_mountinfo(5). */
    static Optional<IoController> find(List<String> mounts) throws IOException {
      for (String mount : mounts) {
        List<String> fields = Arrays.asList(mount.split(" "));
        int separator = fields.indexOf("-");
        String type = fields.get(separator + 1);
        Path root = Path.of(fields.get(MOUNT_POINT));
        List<String> options = Arrays.asList(fields.get(fields.size() - 1).split(","));
        if (type.equals("cgroup") && options.contains("blkio")) {
          return Optional.of(new IoController(Version.V1, root));
        }
        if (type.equals("cgroup2") && words(root.resolve("cgroup.controllers")).contains("io")) {
          return Optional.of(new IoController(Version.V2, root));
        }
      }
      return Optional.empty();
    }

    private static List<String> words(Path file) throws IOException {
      return Files.exists(file)
          ? Arrays.asList(Files.readString(file).strip().split(" "))
          : new ArrayList<>();
    }

    /** Makes a group whose processes get at most so many reads of a disk; returns its directory. */
    Path createGroup(String name, BlockDevice device, int readsPerSecond) throws IOException {
      if (version == Version.V2) {
        Path delegated = root.resolve("cgroup.subtree_control");
        if (!words(delegated).contains("io")) {
          Files.writeString(delegated, "+io");
        }
      }
      Path group = root.resolve(name);
      Files.createDirectory(group);
      try {
        Files.writeString(
            group.resolve(version.limitFile), device + " " + version.limitPrefix + readsPerSecond);
      } catch (IOException | RuntimeException refused) {
        Files.delete(group);
        throw refused;
      }
      return group;
    }
  }

  /** A whole disk, as the Linux kernel numbers it: major and minor number, as {@code 254:0}. */
  public record BlockDevice(String number) {
    private static final Path DEVICES = Path.of("/sys/dev/block");

    /** The whole disk, not a partition, of a directory; fails if this machine has none. */
    public static BlockDevice of(Path directory) throws IOException {
      String number = numberOf((long) Files.getAttribute(directory, "unix:dev"));
      Path device = DEVICES.resolve(number);
      if (!Files.exists(device)) {
        throw new ExperimentFailure(
            "%s lies on a file system without a disk of its own (device %s), so its reads cannot be"
                + " throttled. Name a directory on a disk.",
            directory, number);
      }
      if (Files.exists(device.resolve("partition"))) {
        Path disk = device.toRealPath().getParent();
        return new BlockDevice(Files.readString(disk.resolve("dev")).strip());
      }
      return new BlockDevice(number);
    }

    /** The numbers in a {@code dev_t}, as makedev(3) of glibc packs them. */
    static String numberOf(long device) {
      long major = ((device >>> 8) & 0xfff) | ((device >>> 32) & 0xfffff000L);
      long minor = (device & 0xff) | ((device >>> 12) & 0xffffff00L);
      return major + ":" + minor;
    }

    @Override
    public String toString() {
      return number;
    }
  }
}
