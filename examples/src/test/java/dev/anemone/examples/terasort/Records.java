// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Records as test data: in lists, and in files. */
final class Records {
  private Records() {}

  /** The first records of gensort. */
  static List<byte[]> generated(int count) {
    List<byte[]> records = new ArrayList<>(count);
    TeraRandom random = new TeraRandom(0);
    for (int number = 0; number < count; number++) {
      random.advance();
      byte[] record = new byte[TeraRecord.BYTES];
      RecordFormat.BINARY.write(number, random.high(), random.low(), record, 0);
      records.add(record);
    }
    return records;
  }

  /** Sorted as the benchmark wants it, and records with equal keys by what follows. */
  static List<byte[]> sorted(List<byte[]> records) {
    return records.stream().sorted(Arrays::compareUnsigned).toList();
  }

  /** One behind the other. */
  static byte[] joined(List<byte[]> records) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    records.forEach(joined::writeBytes);
    return joined.toByteArray();
  }

  /** Writes a file, and the directory that it is in. */
  static Path write(Path file, List<byte[]> records) throws IOException {
    Files.createDirectories(file.getParent());
    return Files.write(file, joined(records));
  }

  /** The bytes of all files of a directory, in the order of their names. */
  static byte[] read(Path directory) throws IOException {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (String name : names(directory)) {
      joined.writeBytes(Files.readAllBytes(directory.resolve(name)));
    }
    return joined.toByteArray();
  }

  /** The names of all files of a directory, those that begin with a dot too, in order. */
  static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
