// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.cluster.LocalCluster;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranges of a file of a real HDFS, in blocks of 1 MB. */
class HdfsRangesTest {

  private static final int BLOCK_BYTES = 1 << 20;
  private static final byte[] BYTES = new byte[3 * BLOCK_BYTES + 4321];

  @TempDir private static Path directory;
  private static LocalCluster cluster;
  private static String file;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        LocalCluster.start(
            new LocalCluster.Settings(
                1,
                directory.resolve("cluster"),
                LocalCluster.Settings.DEFAULT_MEMORY_MB,
                LocalCluster.Settings.DEFAULT_CORES,
                Map.of("dfs.replication", "1", "dfs.blocksize", String.valueOf(BLOCK_BYTES))));
    Configuration configuration =
        new ClusterDirectory("the test", cluster.configurationDirectory().toString())
            .fileSystems(Map.of())
            .orElseThrow();
    HdfsRanges.use(configuration);
    FileSystem files = FileSystem.get(configuration);
    file = files.getUri() + "/bytes";
    new Random(7).nextBytes(BYTES);
    try (OutputStream out = files.create(new org.apache.hadoop.fs.Path(file))) {
      out.write(BYTES);
    }
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void rangesGoOverBlocksAndEndWithTheFile() throws IOException {
    try (HdfsRanges ranges = HdfsRanges.open(file).orElseThrow()) {
      for (int start : new int[] {0, 17, BLOCK_BYTES - 1, BLOCK_BYTES, 2 * BLOCK_BYTES + 5}) {
        for (int length : new int[] {0, 1, 4096, BLOCK_BYTES, 2 * BLOCK_BYTES + 3}) {
          int end = Math.min(BYTES.length, start + length);
          try (InputStream range = ranges.range(start, length, ReadWatch.NONE)) {
            assertThat(range.readAllBytes())
                .as("%d bytes from %d", length, start)
                .isEqualTo(Arrays.copyOfRange(BYTES, start, end));
            assertThat(range.read()).isEqualTo(-1);
          }
        }
      }
    }
  }

  @Test
  void singleBytesAreThoseOfTheFile() throws IOException {
    try (HdfsRanges ranges = HdfsRanges.open(file).orElseThrow();
        InputStream range = ranges.range(BYTES.length - 2, 100, ReadWatch.NONE)) {
      assertThat(range.read()).isEqualTo(BYTES[BYTES.length - 2] & 0xff);
      assertThat(range.read()).isEqualTo(BYTES[BYTES.length - 1] & 0xff);
      assertThat(range.read()).isEqualTo(-1);
    }
  }

  @Test
  void eachPieceIsWaitedForOnce() throws IOException {
    List<String> seen = new ArrayList<>();
    ReadWatch watch =
        new ReadWatch() {
          @Override
          public void waits() {
            seen.add("waits");
          }

          @Override
          public void arrived(int bytes) {
            seen.add(bytes + " arrived");
          }
        };
    try (HdfsRanges ranges = HdfsRanges.open(file).orElseThrow();
        InputStream range = ranges.range(0, BLOCK_BYTES + 3, watch)) {
      assertThat(range.readNBytes(BLOCK_BYTES + 3)).hasSize(BLOCK_BYTES + 3);
    }
    assertThat(seen).containsExactly("waits", BLOCK_BYTES + " arrived", "waits", "3 arrived");
  }

  /** As a container of Tez does when a task has ended, and then runs another one. */
  @Test
  void whoClosesAllFileSystemsOfTheUserDoesNotCloseThese() throws IOException {
    HdfsRanges.open(file).orElseThrow().close();
    FileSystem.closeAllForUGI(UserGroupInformation.getCurrentUser());
    try (HdfsRanges ranges = HdfsRanges.open(file).orElseThrow();
        InputStream range = ranges.range(5, 1, ReadWatch.NONE)) {
      assertThat(range.read()).isEqualTo(BYTES[5] & 0xff);
    }
  }

  @Test
  void otherFilesAreForOthers() throws IOException {
    assertThat(HdfsRanges.open(directory.resolve("local").toUri().toString())).isEmpty();
    assertThatThrownBy(() -> HdfsRanges.open(file + "-none"))
        .isInstanceOf(FileNotFoundException.class);
  }
}
