// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.store;

import dev.anemone.evaluation.lab.store.SlowedStore.DiskRateStore;
import dev.anemone.evaluation.lab.store.SlowedStore.LinkChargingStore;
import dev.anemone.evaluation.lab.store.SlowedStore.SeekChargingStore;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.StoreDecorator;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Charges the reads of this JVM's local files as its system properties ask for it. */
public final class ChargesAsAsked implements StoreDecorator {
  /** The rate of a task's link, in bytes per second. */
  public static final String LINK_PROPERTY = "anemone.taskReadBytesPerSecond";

  /** How long a seek takes, in microseconds. */
  public static final String SEEK_PROPERTY = "anemone.seekMicros";

  /** At which rate the disk reads, in bytes per second. */
  public static final String DISK_PROPERTY = "anemone.diskReadBytesPerSecond";

  /** Options of a JVM whose local files are on such a disk. */
  public static List<String> disk(Duration perSeek, long bytesPerSecond) {
    return List.of(
        "-D" + SEEK_PROPERTY + "=" + perSeek.toNanos() / 1000,
        "-D" + DISK_PROPERTY + "=" + bytesPerSecond);
  }

  @Override
  public BlockStore decorate(BlockStore store) {
    Long linkRate = asked(LINK_PROPERTY);
    Long micros = asked(SEEK_PROPERTY);
    Long diskRate = asked(DISK_PROPERTY);
    BlockStore linked = linkRate == null ? store : new LinkChargingStore(store, linkRate);
    BlockStore rated = diskRate == null ? linked : new DiskRateStore(linked, diskRate);
    return micros == null
        ? rated
        : new SeekChargingStore(rated, Duration.of(micros, ChronoUnit.MICROS));
  }

  private static Long asked(String property) {
    String value = System.getProperty(property);
    try {
      return value == null ? null : Long.valueOf(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          String.format(
              "-D%s=%s is not a whole number; give such as 10000000, or leave it out and reads are"
                  + " as fast as they are",
              property, value),
          e);
    }
  }
}
