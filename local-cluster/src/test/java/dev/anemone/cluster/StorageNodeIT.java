// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that join a cluster which has none of its own; they know it by its configuration. */
class StorageNodeIT {
  @TempDir private Path temporary;

  @Test
  void filesLieOnTheNodesThatJoin() throws IOException {
    LocalCluster.Settings settings =
        new LocalCluster.Settings(
            0, temporary.resolve("cluster"), 1024, 4, Map.of("dfs.replication", "1"));
    try (LocalCluster cluster = LocalCluster.start(settings);
        StorageNode first = join(cluster, 0);
        StorageNode second = join(cluster, 1)) {
      cluster.awaitDataNodes(2, Duration.ofSeconds(60));

      assertThat(FileOfBlocks.hosts(cluster))
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
