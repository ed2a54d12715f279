// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.hdfs;

import com.google.common.io.ByteStreams;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * Copies files so that their blocks lie on the data nodes in turn. HDFS chooses nodes at random:
 * each gets about as many of the thousands of blocks of a large file, but not of a few.
 *
 * @param files with one replica of each block
 * @param nodes the data nodes
 */
public record EvenCopy(DistributedFileSystem files, List<InetSocketAddress> nodes) {

  /** What a cluster needs to be told so that a node that is asked for is taken. */
  public static final Map<String, String> SETTINGS =
      Map.of("dfs.namenode.redundancy.considerLoad", "false");

  private static final int BUFFER_BYTES = 1 << 16;

  /** To all data nodes that serve now. */
  public static EvenCopy to(DistributedFileSystem files) throws IOException {
    return new EvenCopy(
        files,
        Stream.of(files.getDataNodeStats())
            .sorted(Comparator.comparing(DatanodeInfo::getXferPort))
            .map(node -> new InetSocketAddress(node.getIpAddr(), node.getXferPort()))
            .toList());
  }

  /** Copies a file; the first block goes to the first node. */
  public void copy(Path from, String to) throws IOException {
    // A node can be asked for by file: each block is one, until they are joined.
    List<org.apache.hadoop.fs.Path> blocks = new ArrayList<>();
    org.apache.hadoop.fs.Path target = new org.apache.hadoop.fs.Path(to);
    long blockBytes = files.getDefaultBlockSize(target);
    long count = Math.max(1, (Files.size(from) + blockBytes - 1) / blockBytes);
    try (InputStream in = Files.newInputStream(from)) {
      for (int index = 0; index < count; index++) {
        org.apache.hadoop.fs.Path block = target.suffix("-" + index);
        try (OutputStream out = create(block, blockBytes, nodes.get(index % nodes.size()))) {
          ByteStreams.limit(in, blockBytes).transferTo(out);
        }
        blocks.add(block);
      }
    }
    if (blocks.size() > 1) {
      files.concat(
          blocks.get(0),
          blocks.subList(1, blocks.size()).toArray(new org.apache.hadoop.fs.Path[0]));
    }
    if (!files.rename(blocks.get(0), target)) {
      throw new IOException("HDFS does not rename " + blocks.get(0) + " to " + target);
    }
  }

  private OutputStream create(
      org.apache.hadoop.fs.Path file, long blockBytes, InetSocketAddress node) throws IOException {
    InetSocketAddress[] favored = {node};
    return files.create(
        file,
        FsPermission.getFileDefault(),
        true,
        BUFFER_BYTES,
        (short) 1,
        blockBytes,
        null,
        favored);
  }
}
