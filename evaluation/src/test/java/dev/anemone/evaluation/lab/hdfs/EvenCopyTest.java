// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EvenCopyTest {
  private static final int BLOCK_BYTES = 1 << 20;
  private static final int NODES = 3;

  @TempDir private static Path directory;
  private static MiniHdfs hdfs;

  @BeforeAll
  static void start() throws IOException {
    hdfs = MiniHdfs.start(directory.resolve("hdfs"), NODES, BLOCK_BYTES, EvenCopy.SETTINGS);
  }

  @AfterAll
  static void stop() throws IOException {
    hdfs.close();
  }

  /** At random eight blocks would lie so in one of a thousand cases. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, BLOCK_BYTES, 8 * BLOCK_BYTES, 8 * BLOCK_BYTES - 1})
  void blocksLieOnTheNodesInTurn(int bytes) throws IOException {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    Path file = Files.write(directory.resolve("file-" + bytes), content);
    DistributedFileSystem files = (DistributedFileSystem) hdfs.files();
    org.apache.hadoop.fs.Path copy = new org.apache.hadoop.fs.Path("/copies-" + bytes + "/file");

    EvenCopy.to(files).copy(file, copy.toString());

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
