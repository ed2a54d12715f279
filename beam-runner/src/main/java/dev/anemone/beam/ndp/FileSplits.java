// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.beam.hdfs.BlockHosts;
import dev.anemone.beam.hdfs.FileBlocks;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.format.FileFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.ResourceId;
import org.apache.beam.sdk.options.PipelineOptions;

/**
 * Cuts the files of a table into splits. A split never goes over the end of a block, so that one
 * data node holds all of it; there are about {@value #SPLITS_PER_SLOT} for each slot, but none is
 * tiny. A compressed file is one split, and so is one whose values may contain line ends: the
 * beginning of a split in its middle would be found by reading all of the file before it.
 */
final class FileSplits {

  private static final int SPLITS_PER_SLOT = 4;
  private static final long LEAST_BYTES = 4L << 20;

  /** Where no file system says how large blocks are. */
  private static final long BLOCK_BYTES = 128L << 20;

  private FileSplits() {}

  /** The splits of all files, at least one. */
  static List<FileSplit> of(TableFiles table, FileFormat format, PipelineOptions options) {
    int slots = options.as(NemoPipelineOptions.class).getSlots();
    Map<ResourceId, FileBlocks> blocks =
        BlockHosts.blocks(
            table.files().stream().map(file -> resource(file.path())).toList(), options);
    List<FileSplit> splits = new ArrayList<>();
    for (TableFiles.TableFile file : table.files()) {
      FileBlocks known = blocks.getOrDefault(resource(file.path()), FileBlocks.UNKNOWN);
      if (!isDivisible(format)) {
        splits.add(split(file, 0, file.bytes(), known));
        continue;
      }
      List<Long> starts = starts(file, known);
      for (int i = 0; i < starts.size(); i++) {
        long end = i + 1 < starts.size() ? starts.get(i + 1) : file.bytes();
        long most = splitBytes(table.bytes(), slots, end - starts.get(i));
        for (long start = starts.get(i); start < end; start += most) {
          splits.add(split(file, start, Math.min(most, end - start), known));
        }
      }
    }
    if (splits.isEmpty()) {
      // A table of empty files has a split too, so that it can be read.
      splits.add(split(table.files().get(0), 0, 0, FileBlocks.UNKNOWN));
    }
    return splits;
  }

  private static ResourceId resource(String path) {
    return FileSystems.matchNewResource(path, false);
  }

  private static List<Long> starts(TableFiles.TableFile file, FileBlocks known) {
    return known.starts().isEmpty()
        ? LongStream.iterate(0, start -> start < file.bytes(), start -> start + BLOCK_BYTES)
            .boxed()
            .toList()
        : known.starts();
  }

  /** How many bytes a split has at most, when a block is cut into splits of about one size. */
  static long splitBytes(long tableBytes, int slots, long blockBytes) {
    long even = Math.max(LEAST_BYTES, tableBytes / ((long) slots * SPLITS_PER_SLOT));
    long perBlock = Math.max(1, (blockBytes + even - 1) / even);
    return Math.max(1, (blockBytes + perBlock - 1) / perBlock);
  }

  private static FileSplit split(
      TableFiles.TableFile file, long start, long length, FileBlocks blocks) {
    return new FileSplit(
        file.path(),
        start,
        length,
        file.bytes(),
        blocks.hosts(start, start + length, BlockHosts.MAX_HOSTS));
  }

  private static boolean isDivisible(FileFormat format) {
    return !(format instanceof CsvFormat csv)
        || (csv.compression() == CsvFormat.Compression.NONE && !csv.quotedNewlines());
  }
}
