// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.disk;

import dev.anemone.evaluation.lab.ExperimentFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A whole disk, as the Linux kernel numbers it.
 *
 * @param number major and minor number, such as {@code 254:0}
 */
public record BlockDevice(String number) {
  private static final Path DEVICES = Path.of("/sys/dev/block");

  /**
   * The disk that a directory lies on; for a partition, the disk that it is a part of, since only
   * whole disks can be throttled.
   *
   * @param directory must exist
   * @throws ExperimentFailure if the file system of the directory is on no disk of this machine
   * @throws IOException if the kernel's files cannot be read
   */
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
