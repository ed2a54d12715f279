// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import dev.anemone.examples.terasort.RecordFiles.RecordFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.io.FileSystems;

/**
 * Reads the keys of some records, from places that are spread evenly over all records of the input:
 * a systematic sample, which sees every part of an input that is sorted already, or that changes
 * from file to file. Keys of neighbours come with one read, since in a distributed file system the
 * seek is what a key costs.
 */
final class KeySampler {
  /** In a sorted input these are of one range, so a range needs several places. */
  private static final int KEYS_PER_PLACE = 10;

  private KeySampler() {}

  /**
   * Reads a sample; a seek and a read for each {@value #KEYS_PER_PLACE} keys.
   *
   * @param wanted the least number of keys, which is exceeded by less than a place's; all keys are
   *     read if there are fewer
   * @throws IOException if a file cannot be read, or its file system cannot seek
   */
  static List<TeraKey> sample(RecordFiles input, int wanted) throws IOException {
    List<Run> places = places(input.records(), wanted);
    List<TeraKey> keys = new ArrayList<>();
    Run file = new Run(0, 0);
    int next = 0;
    for (RecordFile current : input.files()) {
      file = new Run(file.end(), file.end() + current.records());
      if (next < places.size() && places.get(next).first() < file.end()) {
        try (SeekableByteChannel channel = open(current)) {
          for (; next < places.size() && places.get(next).first() < file.end(); next++) {
            Run inFile = places.get(next).within(file);
            channel.position((inFile.first() - file.first()) * TeraRecord.BYTES);
            addKeys(channel, inFile.length(), current, keys);
            if (places.get(next).end() > file.end()) {
              break;
            }
          }
        }
      }
    }
    return keys;
  }

  /** Records from {@code first} to before {@code end}, counted over all files. */
  private record Run(long first, long end) {
    int length() {
      return (int) (end - first);
    }

    Run within(Run other) {
      return new Run(Math.max(first, other.first), Math.min(end, other.end));
    }
  }

  /** The middles of equal parts of the input. */
  private static List<Run> places(long records, int wanted) {
    int parts = (int) ((Math.min(wanted, records) + KEYS_PER_PLACE - 1) / KEYS_PER_PLACE);
    List<Run> places = new ArrayList<>(parts);
    for (int part = 0; part < parts; part++) {
      long start = records * part / parts;
      long size = records * (part + 1) / parts - start;
      long keys = Math.min(size, KEYS_PER_PLACE);
      long first = start + (size - keys) / 2;
      places.add(new Run(first, first + keys));
    }
    return places;
  }

  private static SeekableByteChannel open(RecordFile file) throws IOException {
    ReadableByteChannel channel = FileSystems.open(file.resource());
    if (channel instanceof SeekableByteChannel seekable) {
      return seekable;
    }
    channel.close();
    throw new IOException(
        "The file system of "
            + file.resource()
            + " cannot read from the middle of a file. Copy the input to one that can.");
  }

  private static void addKeys(
      SeekableByteChannel channel, int count, RecordFile file, List<TeraKey> keys)
      throws IOException {
    ByteBuffer records = ByteBuffer.allocate(count * TeraRecord.BYTES);
    while (records.hasRemaining()) {
      if (channel.read(records) < 0) {
        throw new IOException(
            file.resource() + " has become shorter than its " + file.records() + " records.");
      }
    }
    for (int record = 0; record < count; record++) {
      keys.add(TeraKey.at(records.array(), record * TeraRecord.BYTES));
    }
  }
}
