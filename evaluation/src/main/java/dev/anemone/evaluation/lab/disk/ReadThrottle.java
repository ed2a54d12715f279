// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.disk;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.process.ControlGroup;
import dev.anemone.evaluation.lab.process.GroupController;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Limits the reads that processes may do on one disk per second, with a control group of its own:
 * what a disk with a moving head does to random reads, without one. The group is removed when the
 * throttle is closed, or else when the JVM ends.
 */
public final class ReadThrottle implements AutoCloseable {
  private final ControlGroup group;

  private ReadThrottle(ControlGroup group) {
    this.group = group;
  }

  /** Starts to limit what {@link #command} starts; fails where this user or machine cannot. */
  public static ReadThrottle start(BlockDevice device, int readsPerSecond) throws IOException {
    return start(controller(), device, readsPerSecond);
  }

  /** The controller of this machine; fails if there is none. */
  static GroupController controller() throws IOException {
    return GroupController.find("blkio", "io")
        .orElseThrow(
            () ->
                new ExperimentFailure(
                    "The disk cannot be throttled, so it will not behave like one with a moving"
                        + " head: neither the controller blkio of control groups version 1 nor io"
                        + " of version 2 is mounted here. Measure as root on Linux with one of the"
                        + " two."));
  }

  static ReadThrottle start(GroupController controller, BlockDevice device, int readsPerSecond) {
    try {
      return new ReadThrottle(
          ControlGroup.create(
              controller,
              switch (controller.version()) {
                case V1 -> Map.of("blkio.throttle.read_iops_device", device + " " + readsPerSecond);
                case V2 -> Map.of("io.max", device + " riops=" + readsPerSecond);
              }));
    } catch (IOException refused) {
      throw new ExperimentFailure(
          refused,
          "The reads of device %s cannot be throttled: %s. Measure as root, where the control"
              + " groups in %s can be written.",
          device,
          refused,
          controller.root());
    }
  }

  /** The command that runs this command under the limit, from its first instruction on. */
  public List<String> command(List<String> command) {
    return group.command(command);
  }

  /** Removes the limit, under which nothing may run any more; the message says what is left. */
  @Override
  public void close() throws IOException {
    group.close();
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
