// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.disk;

import dev.anemone.evaluation.lab.ExperimentFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The controller of a kernel's control groups that can limit reads per second: {@code blkio} of
 * version 1, or {@code io} of version 2. See cgroups(7).
 *
 * @param version of the control groups
 * @param root directory where they are mounted
 */
record IoController(Version version, Path root) {
  private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
  private static final int MOUNT_POINT = 4;

  /** The two interfaces of Linux. */
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

  /**
   * The controller of this machine.
   *
   * @throws ExperimentFailure if there is none
   * @throws IOException if the kernel's files cannot be read
   */
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
        "The disk cannot be throttled, so it will not behave like one with a moving head: %s. Measure"
            + " as root on Linux with one of the two.",
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

  /**
   * Makes a group whose processes get at most so many reads of a disk per second.
   *
   * @return the group's directory
   * @throws IOException if there is one of this name, or this user may not make one
   */
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
