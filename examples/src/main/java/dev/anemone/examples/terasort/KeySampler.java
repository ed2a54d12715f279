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
 * Reads the keys of some records, spread evenly over all records of the input: a systematic sample,
 * which sees every part of an input that is sorted already, or that changes from file to file.
 */
final class KeySampler {
  private KeySampler() {}

  /**
   * Reads a sample; each key costs a seek and a read of 10 bytes.
   *
   * @param wanted number of keys; all keys are read if there are fewer
   * @throws IOException if a file cannot be read, or its file system cannot seek
   */
  static List<TeraKey> sample(RecordFiles input, int wanted) throws IOException {
    long records = input.records();
    int count = (int) Math.min(wanted, records);
    List<TeraKey> keys = new ArrayList<>(count);
    ByteBuffer key = ByteBuffer.allocate(TeraRecord.KEY_BYTES);
    long firstOfFile = 0;
    for (RecordFile file : input.files()) {
      long endOfFile = firstOfFile + file.records();
      if (keys.size() < count && recordOf(keys.size(), count, records) < endOfFile) {
        try (SeekableByteChannel channel = open(file)) {
          while (keys.size() < count && recordOf(keys.size(), count, records) < endOfFile) {
            long record = recordOf(keys.size(), count, records) - firstOfFile;
            channel.position(record * TeraRecord.BYTES);
            readKey(channel, key.clear(), file);
            keys.add(TeraKey.at(key.array(), 0));
          }
        }
      }
      firstOfFile = endOfFile;
    }
    return keys;
  }

  /** The middle of the n-th of as many equal parts of the input as there are keys to read. */
  private static long recordOf(int n, int count, long records) {
    return (long) ((n + 0.5) * records / count);
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

  private static void readKey(SeekableByteChannel channel, ByteBuffer key, RecordFile file)
      throws IOException {
    while (key.hasRemaining()) {
      if (channel.read(key) < 0) {
        throw new IOException(
            file.resource() + " has become shorter than its " + file.records() + " records.");
      }
    }
  }
}
