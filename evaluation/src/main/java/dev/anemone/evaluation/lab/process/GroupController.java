// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A controller of Linux's control groups, as it is mounted here.
 *
 * @param version of the control groups
 * @param name that the controller has in them
 * @param root the group of all processes
 */
public record GroupController(Version version, String name, Path root) {
  private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
  private static final int MOUNT_POINT = 4;

  /** Version 1 has a tree of groups for each controller, version 2 one for all. */
  public enum Version {
    V1,
    V2
  }

  /**
   * The controller of this machine; empty where neither is mounted, as on other systems.
   *
   * @param inVersion1 its name there
   * @param inVersion2 the name of what does the same there
   */
  public static Optional<GroupController> find(String inVersion1, String inVersion2)
      throws IOException {
    return Files.isReadable(MOUNTS)
        ? find(Files.readAllLines(MOUNTS), inVersion1, inVersion2)
        : Optional.empty();
  }

  /** The same among the mounts of a process, in the form of proc_pid_mountinfo(5). */
  static Optional<GroupController> find(List<String> mounts, String inVersion1, String inVersion2)
      throws IOException {
    for (String mount : mounts) {
      List<String> fields = Arrays.asList(mount.split(" "));
      int separator = fields.indexOf("-");
      String type = fields.get(separator + 1);
      Path root = Path.of(fields.get(MOUNT_POINT));
      List<String> options = Arrays.asList(fields.get(fields.size() - 1).split(","));
      if (type.equals("cgroup") && options.contains(inVersion1)) {
        return Optional.of(new GroupController(Version.V1, inVersion1, root));
      }
      if (type.equals("cgroup2")
          && words(root.resolve("cgroup.controllers")).contains(inVersion2)) {
        return Optional.of(new GroupController(Version.V2, inVersion2, root));
      }
    }
    return Optional.empty();
  }

  private static List<String> words(Path file) throws IOException {
    return Files.exists(file)
        ? Arrays.asList(Files.readString(file).strip().split(" "))
        : List.of();
  }

  /** Makes a group that this controller can limit, and returns its directory. */
  Path createGroup(String group) throws IOException {
    if (version == Version.V2) {
      Path delegated = root.resolve("cgroup.subtree_control");
      if (!words(delegated).contains(name)) {
        Files.writeString(delegated, "+" + name);
      }
    }
    return Files.createDirectory(root.resolve(group));
  }
}
