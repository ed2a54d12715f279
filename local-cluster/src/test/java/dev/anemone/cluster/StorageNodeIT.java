// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that join a cluster which has none of its own; they know it by its configuration. */
class StorageNodeIT {
  private static final int BLOCK_BYTES = 4096;
  private static final int BLOCKS = 20;

  @TempDir private Path temporary;

  @Test
  void filesLieOnTheNodesThatJoin() throws IOException {
    LocalCluster.Settings settings =
        new LocalCluster.Settings(
            0, temporary.resolve("cluster"), 1024, 4, Map.of("dfs.replication", "1"));
    try (LocalCluster cluster = LocalCluster.start(settings);
        StorageNode first = join(cluster, 0);
        StorageNode second = join(cluster, 1);
        FileSystem files =
            FileSystem.newInstance(
                RawApplication.clientConfiguration(cluster.configurationDirectory()))) {
      cluster.awaitDataNodes(2, Duration.ofSeconds(60));
      byte[] content = new byte[BLOCKS * BLOCK_BYTES];
      content[content.length - 1] = 7;
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/tmp/blocks");
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
      assertThat(hosts)
          .containsExactlyInAnyOrderElementsOf(
              Stream.of(first, second).map(node -> node.webAddress().getHostString()).toList());
      assertThat(cluster.nodes()).isZero();
      assertThatThrownBy(() -> cluster.awaitDataNodes(3, Duration.ZERO))
          .hasMessageContaining("2 DataNodes serve, but there should be 3");
    }
    assertThat(temporary.resolve("cluster")).doesNotExist();
  }

  private StorageNode join(LocalCluster cluster, int index) throws IOException {
    return StorageNode.start(
        cluster.configurationDirectory(), temporary.resolve("joined" + index), index);
  }
}
