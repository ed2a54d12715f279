// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EvenCopyTest {
  private static final int BLOCK_BYTES = 1 << 20;
  private static final int NODES = 3;

  @TempDir private Path directory;

  /** Of eight blocks at random each of three nodes has two or three in one case of nine. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, BLOCK_BYTES, 8 * BLOCK_BYTES, 8 * BLOCK_BYTES - 1})
  void blocksLieOnTheNodesInTurn(int bytes) throws Exception {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    Path file = Files.write(directory.resolve("file"), content);
    try (MiniHdfs hdfs =
        MiniHdfs.start(directory.resolve("hdfs"), NODES, BLOCK_BYTES, EvenCopy.SETTINGS)) {
      DistributedFileSystem files = (DistributedFileSystem) hdfs.files();

      EvenCopy.to(files).copy(file, "/copies/file");

      org.apache.hadoop.fs.Path copy = new org.apache.hadoop.fs.Path("/copies/file");
      try (FSDataInputStream in = files.open(copy)) {
        assertThat(in.readAllBytes()).isEqualTo(content);
      }
      List<String> nodes = new ArrayList<>();
      for (BlockLocation block : files.getFileBlockLocations(copy, 0, bytes)) {
        nodes.add(block.getNames()[0]);
      }
      assertThat(nodes).hasSize((bytes + BLOCK_BYTES - 1) / BLOCK_BYTES);
      for (int block = NODES; block < nodes.size(); block++) {
        assertThat(nodes.get(block)).isEqualTo(nodes.get(block - NODES));
      }
      assertThat(nodes.stream().limit(NODES)).doesNotHaveDuplicates();
      assertThat(files.listStatus(copy.getParent())).hasSize(1);
    }
  }
}
