// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import dev.anemone.examples.files.Location;
import dev.anemone.examples.terasort.RecordFiles.RecordFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Optional;
import java.util.zip.CRC32;
import org.apache.beam.sdk.io.FileSystems;

/**
 * Reads files of records, one after the other in the order of their names, and tells what
 * <i>valsort</i> tells: whether they are sorted, within the files and from one to the next, and a
 * checksum that the sorted records share with the input. Not thread-safe.
 */
public final class TeraValidator {
  private static final int BUFFER_BYTES = 10_000 * TeraRecord.BYTES;

  private final byte[] buffer = new byte[BUFFER_BYTES];
  private final byte[] keyBefore = new byte[TeraRecord.KEY_BYTES];
  private final CRC32 crc = new CRC32();
  private long records;
  private long checksum;
  private long duplicateKeys;
  private long misplaced;
  private Optional<String> firstMisplaced = Optional.empty();

  private TeraValidator() {}

  /**
   * Reads records and tells about them. The file systems of Beam must know their options already.
   *
   * @param option the command line option that gave the place, for messages
   * @param place a directory with files {@code part-...}, a file, or a pattern
   * @throws IllegalArgumentException if there is no such file, if the length of one is not a
   *     multiple of a record's, or if all are empty
   * @throws IOException if a file cannot be read
   */
  public static TeraSummary summarize(String option, String place) throws IOException {
    TeraValidator validator = new TeraValidator();
    for (RecordFile file : RecordFiles.find(new Location(option, place)).files()) {
      validator.read(file);
    }
    return validator.summary();
  }

  private TeraSummary summary() {
    return new TeraSummary(records, checksum, duplicateKeys, misplaced, firstMisplaced);
  }

  private void read(RecordFile file) throws IOException {
    try (ReadableByteChannel channel = FileSystems.open(file.resource())) {
      long done = 0;
      while (done < file.records()) {
        int wanted = (int) Math.min(BUFFER_BYTES, (file.records() - done) * TeraRecord.BYTES);
        ByteBuffer target = ByteBuffer.wrap(buffer, 0, wanted);
        while (target.hasRemaining()) {
          if (channel.read(target) < 0) {
            throw new IOException(
                file.resource() + " has become shorter than its " + file.records() + " records.");
          }
        }
        for (int offset = 0; offset < wanted; offset += TeraRecord.BYTES) {
          take(file, done++, offset);
        }
      }
    }
  }

  private void take(RecordFile file, long number, int offset) {
    crc.reset();
    crc.update(buffer, offset, TeraRecord.BYTES);
    checksum += crc.getValue();
    if (records > 0) {
      int compared = TeraRecord.compareKeys(keyBefore, 0, buffer, offset);
      if (compared == 0) {
        duplicateKeys++;
      } else if (compared > 0) {
        addMisplaced(file, number, offset);
      }
    }
    System.arraycopy(buffer, offset, keyBefore, 0, TeraRecord.KEY_BYTES);
    records++;
  }

  private void addMisplaced(RecordFile file, long number, int offset) {
    misplaced++;
    if (firstMisplaced.isEmpty()) {
      firstMisplaced =
          Optional.of(
              file.resource()
                  + ": record "
                  + number
                  + ", counted from 0, has the key "
                  + TeraKey.at(buffer, offset)
                  + ", which is below the key "
                  + TeraKey.at(keyBefore, 0)
                  + " of the record before it.");
    }
  }
}
