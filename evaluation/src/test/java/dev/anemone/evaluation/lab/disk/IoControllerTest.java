// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.evaluation.lab.disk.ReadThrottle.BlockDevice;
import dev.anemone.evaluation.lab.disk.ReadThrottle.IoController;
import dev.anemone.evaluation.lab.disk.ReadThrottle.IoController.Version;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of control groups in a plain directory, which takes what the kernel would. */
class IoControllerTest {
  private static final BlockDevice DEVICE = new BlockDevice("8:16");
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
    assertThat(IoController.find(List.of(PROC, version1)))
        .contains(new IoController(Version.V1, root.resolve("blkio")));

    Files.writeString(root.resolve("unified/cgroup.controllers"), "cpuset cpu io memory\n");
    assertThat(IoController.find(List.of(PROC, version2)))
        .contains(new IoController(Version.V2, root.resolve("unified")));
  }

  @Test
  void controlGroupsWithoutThisControllerAreNotEnough() throws IOException {
    String cpu = "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu";
    assertThat(IoController.find(List.of(PROC, cpu, version2))).isEmpty();

    Files.writeString(root.resolve("unified/cgroup.controllers"), "cpu memory\n");
    assertThat(IoController.find(List.of(PROC, cpu, version2))).isEmpty();
  }

  @Test
  void version1TakesTheLimitOfADevice() throws IOException {
    Path group = new IoController(Version.V1, root).createGroup("group", DEVICE, 150);

    assertThat(group).isEqualTo(root.resolve("group"));
    assertThat(group.resolve("blkio.throttle.read_iops_device")).hasContent("8:16 150");
  }

  @Test
  void version2TakesTheLimitOnceTheControllerIsDelegated() throws IOException {
    Path delegated = root.resolve("cgroup.subtree_control");
    Files.writeString(delegated, "cpu memory\n");
    IoController controller = new IoController(Version.V2, root);

    Path group = controller.createGroup("group", DEVICE, 150);

    assertThat(delegated).hasContent("+io");
    assertThat(group.resolve("io.max")).hasContent("8:16 riops=150");

    Files.writeString(delegated, "cpu io\n");
    controller.createGroup("second", DEVICE, 150);
    assertThat(delegated).as("left alone where it is delegated already").hasContent("cpu io\n");
  }

  @Test
  void aGroupOfThisNameIsLeftToItsOwner() throws IOException {
    Files.createDirectory(root.resolve("group"));

    assertThatThrownBy(() -> new IoController(Version.V1, root).createGroup("group", DEVICE, 1))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(root.resolve("group")).isEmptyDirectory();
  }
}
