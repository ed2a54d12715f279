// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.evaluation.lab.process.GroupController.Version;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of control groups in a plain directory, which takes what the kernel would. */
class ControlGroupTest {
  private static final String PROC = "22 27 0:21 / /proc rw,relatime - proc proc rw";

  @TempDir private Path root;
  private String version1;
  private String version2;

  @BeforeEach
  void mount() throws IOException {
    Files.createDirectory(root.resolve("blkio"));
    Files.createDirectory(root.resolve("unified"));
    version1 =
        "38 31 0:35 / " + root.resolve("blkio") + " rw,relatime shared:9 - cgroup cgroup rw,blkio";
    version2 =
        "41 31 0:38 / " + root.resolve("unified") + " rw,relatime - cgroup2 cgroup2 rw,nsdelegate";
  }

  @Test
  void findsTheControllerOfEitherVersion() throws IOException {
    assertThat(GroupController.find(List.of(PROC, version1), "blkio", "io"))
        .contains(new GroupController(Version.V1, "blkio", root.resolve("blkio")));

    Files.writeString(root.resolve("unified/cgroup.controllers"), "cpuset cpu io memory\n");
    assertThat(GroupController.find(List.of(PROC, version2), "blkio", "io"))
        .contains(new GroupController(Version.V2, "io", root.resolve("unified")));
  }

  @Test
  void controlGroupsWithoutThisControllerAreNotEnough() throws IOException {
    String cpu = "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu";
    assertThat(GroupController.find(List.of(PROC, cpu, version2), "blkio", "io")).isEmpty();

    Files.writeString(root.resolve("unified/cgroup.controllers"), "cpu memory\n");
    assertThat(GroupController.find(List.of(PROC, cpu, version2), "blkio", "io")).isEmpty();
  }

  @Test
  void version2DelegatesTheControllerOnce() throws IOException {
    Path delegated = root.resolve("cgroup.subtree_control");
    Files.writeString(delegated, "cpu memory\n");
    GroupController controller = new GroupController(Version.V2, "io", root);

    assertThat(controller.createGroup("group")).isDirectory();
    assertThat(delegated).hasContent("+io");

    Files.writeString(delegated, "cpu io\n");
    controller.createGroup("second");
    assertThat(delegated).as("left alone where it is delegated already").hasContent("cpu io\n");
  }

  @Test
  void aGroupOfThisNameIsLeftToItsOwner() throws IOException {
    Files.createDirectory(root.resolve("group"));

    assertThatThrownBy(() -> new GroupController(Version.V1, "blkio", root).createGroup("group"))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(root.resolve("group")).isEmptyDirectory();
  }
}
