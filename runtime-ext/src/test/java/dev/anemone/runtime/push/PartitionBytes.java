// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Bytes by partition, as an aggregation task would write them. */
final class PartitionBytes {

  private final Map<Integer, ByteArrayOutputStream> partitions = new TreeMap<>();
  private long rawBytes;

  void append(int partition, ByteBuffer bytes, long raw) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    partitions.computeIfAbsent(partition, p -> new ByteArrayOutputStream()).writeBytes(copy);
    rawBytes += raw;
  }

  /** All entries that are not empty. */
  List<TestEntry> entries() {
    List<TestEntry> entries = new ArrayList<>();
    partitions.forEach((p, bytes) -> entries.addAll(TestEntry.in(p, bytes.toByteArray())));
    return entries;
  }

  long rawBytes() {
    return rawBytes;
  }
}
