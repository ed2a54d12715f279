// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** A file of so many blocks that every node of a small cluster has some. */
final class FileOfBlocks {
  private static final int BLOCK_BYTES = 4096;
  private static final int BLOCKS = 20;

  private FileOfBlocks() {}

  /** Writes it without replicas, reads it, and returns the hosts of the nodes where it lies. */
  static Set<String> hosts(LocalCluster cluster) throws IOException {
    byte[] content = content();
    Path file = new Path("/tmp/blocks");
    try (FileSystem files =
        FileSystem.newInstance(
            RawApplication.clientConfiguration(cluster.configurationDirectory()))) {
      try (OutputStream out = files.create(file, true, BLOCK_BYTES, (short) 1, BLOCK_BYTES)) {
        out.write(content);
      }
      try (FSDataInputStream in = files.open(file)) {
        assertThat(in.readAllBytes()).isEqualTo(content);
      }
      Set<String> hosts = new HashSet<>();
      for (BlockLocation block : files.getFileBlockLocations(file, 0, content.length)) {
        hosts.addAll(List.of(block.getHosts()));
      }
      return hosts;
    }
  }

  private static byte[] content() {
    byte[] content = new byte[BLOCKS * BLOCK_BYTES];
    Arrays.fill(content, (byte) 7);
    return content;
  }
}
