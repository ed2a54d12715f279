// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.samplingerror;

import dev.anemone.examples.tpch.TpchDataSet;
import dev.anemone.examples.tpch.TpchTable;
import dev.anemone.runtime.transfer.PartitionHash;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.util.VarInt;

/** What producers, each with a section of the input, would have for each partition. */
public record MeasuredData(int tasks, int partitions) {
  /** The orders of TPC-H by customer, as Q10 joins them, with the order's key as the value. */
  public PartitionSizes ordersByCustomer(TpchDataSet dataSet) throws IOException {
    PartitionSizes sizes = new PartitionSizes(tasks, partitions);
    HashPartitions<Long> hash = new HashPartitions<>(VarLongCoder.of(), partitions);
    forEachLine(
        files(dataSet),
        (task, line) -> {
          int endOfOrder = line.indexOf('|');
          int endOfCustomer = line.indexOf('|', endOfOrder + 1);
          long order = Long.parseLong(line, 0, endOfOrder, 10);
          int partition = hash.of(Long.parseLong(line, endOfOrder + 1, endOfCustomer, 10));
          sizes.add(task, partition, hash.keyBytes() + VarInt.getLength(order));
        });
    return sizes;
  }

  private static List<Path> files(TpchDataSet dataSet) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found =
        Files.newDirectoryStream(
            Path.of(dataSet.directory()), TpchTable.ORDERS.tableName() + ".tbl*")) {
      found.forEach(files::add);
    }
    files.sort(null);
    return files;
  }

  /** The words of a text, one record for each word with a count of 1. */
  PartitionSizes words(Path text) throws IOException {
    PartitionSizes sizes = new PartitionSizes(tasks, partitions);
    HashPartitions<String> hash = new HashPartitions<>(StringUtf8Coder.of(), partitions);
    forEachLine(
        List.of(text),
        (task, line) -> {
          for (String word : line.split(" ", -1)) {
            sizes.add(task, hash.of(word), hash.keyBytes() + VarInt.getLength(1L));
          }
        });
    return sizes;
  }

  /** Words with their counts in each task: what a lifted combiner leaves of a word count. */
  PartitionSizes countedWords(Path text) throws IOException {
    List<Map<String, Long>> counts = new ArrayList<>();
    for (int task = 0; task < tasks; task++) {
      counts.add(new HashMap<>());
    }
    forEachLine(
        List.of(text),
        (task, line) -> {
          for (String word : line.split(" ", -1)) {
            counts.get(task).merge(word, 1L, Long::sum);
          }
        });
    PartitionSizes sizes = new PartitionSizes(tasks, partitions);
    HashPartitions<String> hash = new HashPartitions<>(StringUtf8Coder.of(), partitions);
    for (int task = 0; task < tasks; task++) {
      for (Map.Entry<String, Long> count : counts.get(task).entrySet()) {
        int partition = hash.of(count.getKey());
        sizes.add(task, partition, hash.keyBytes() + VarInt.getLength(count.getValue()));
      }
    }
    return sizes;
  }

  private interface LineConsumer {
    void accept(int task, String line) throws IOException;
  }

  private void forEachLine(List<Path> files, LineConsumer lines) throws IOException {
    long all = 0;
    for (Path file : files) {
      all += Files.size(file);
    }
    long position = 0;
    for (Path file : files) {
      try (BufferedReader reader = Files.newBufferedReader(file)) {
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
          lines.accept((int) (position * tasks / all), line);
          position += line.length() + 1L;
        }
      }
    }
  }

  /** Bytes of records that each producer has for each hash partition. Not thread-safe. */
  public static final class PartitionSizes {
    private final long[][] bytes;

    PartitionSizes(int tasks, int partitions) {
      bytes = new long[tasks][partitions];
    }

    void add(int task, int partition, long recordBytes) {
      bytes[task][partition] += recordBytes;
    }

    int tasks() {
      return bytes.length;
    }

    int partitions() {
      return bytes[0].length;
    }

    long[] all() {
      int[] every = new int[bytes.length];
      for (int task = 0; task < every.length; task++) {
        every[task] = task;
      }
      return of(every);
    }

    /** Bytes of each partition, summed over some of the producer tasks. */
    public long[] of(int[] tasks) {
      long[] sums = new long[partitions()];
      for (int task : tasks) {
        for (int partition = 0; partition < sums.length; partition++) {
          sums[partition] += bytes[task][partition];
        }
      }
      return sums;
    }
  }

  /** The runtime's partition of a grouped record, by the hash of its key. Not thread-safe. */
  static final class HashPartitions<K> {
    private final Coder<K> coder;
    private final int partitions;
    private final ByteArrayOutputStream encoded = new ByteArrayOutputStream();
    private int keyBytes;

    HashPartitions(Coder<K> coder, int partitions) {
      this.coder = coder;
      this.partitions = partitions;
    }

    int of(K key) throws IOException {
      encoded.reset();
      coder.encode(key, encoded);
      byte[] bytes = encoded.toByteArray();
      keyBytes = bytes.length;
      return PartitionHash.of(bytes, 0, bytes.length, partitions);
    }

    /** Length of the key that was encoded last. */
    int keyBytes() {
      return keyBytes;
    }
  }
}
