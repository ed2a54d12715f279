// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.hdfs;

import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.fs.BlockLocation;

/** The blocks of a file, and on which hosts they lie. Immutable. */
public final class FileBlocks {

  /** A file of which nothing is known. */
  public static final FileBlocks UNKNOWN = new FileBlocks(new TreeMap<>());

  /** By their first byte; they do not overlap. */
  private final NavigableMap<Long, Block> blocks;

  private record Block(long start, long end, List<String> hosts) {}

  private FileBlocks(NavigableMap<Long, Block> blocks) {
    this.blocks = blocks;
  }

  static FileBlocks of(BlockLocation... locations) throws IOException {
    NavigableMap<Long, Block> blocks = new TreeMap<>();
    for (BlockLocation location : locations) {
      long start = location.getOffset();
      blocks.put(
          start, new Block(start, start + location.getLength(), List.of(location.getHosts())));
    }
    return new FileBlocks(blocks);
  }

  /** Where the blocks begin, in order; empty when that is not known. */
  public List<Long> starts() {
    return List.copyOf(blocks.keySet());
  }

  /**
   * The hosts that hold most of a range of bytes, those with the most first, and by name where they
   * hold the same.
   *
   * @param end the byte after the last
   * @param most how many hosts at most
   */
  public List<String> hosts(long start, long end, int most) {
    Long first = blocks.floorKey(start);
    Map<String, Long> bytes = new HashMap<>();
    for (Block block : blocks.tailMap(first == null ? start : first, true).values()) {
      if (block.start() >= end) {
        break;
      }
      long common = Math.min(end, block.end()) - Math.max(start, block.start());
      if (common > 0) {
        block.hosts().forEach(host -> bytes.merge(host, common, Long::sum));
      }
    }
    return bytes.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(most)
        .map(Map.Entry::getKey)
        .toList();
  }
}
