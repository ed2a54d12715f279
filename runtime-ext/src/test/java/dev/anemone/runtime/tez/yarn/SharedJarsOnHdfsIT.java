// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.cluster.LocalCluster;
import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.runtime.engine.ExecutorGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only a real cluster shows: leases and renames of HDFS, and answers of a ResourceManager. */
class SharedJarsOnHdfsIT {

  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final int CLIENTS = 4;

  @TempDir static Path directory;
  private static LocalCluster cluster;
  private static Configuration configuration;

  @BeforeAll
  static void start() throws IOException {
    cluster = LocalCluster.start(LocalCluster.Settings.of(2, directory.resolve("cluster")));
    configuration = ClusterConfiguration.load(cluster.configurationDirectory(), Map.of());
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void manyClientsAtOnceAllEndWellAndNextTimeNothingIsSent() throws Exception {
    List<Path> classPath = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      classPath.add(Files.writeString(directory.resolve("app" + i + ".jar"), "app" + i));
      classPath.add(Files.writeString(directory.resolve("lib-1." + i + ".jar"), "lib" + i));
    }
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    try {
      for (int round = 0; round < 2; round++) {
        List<Callable<ShippedClassPath>> shipments = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
          shipments.add(
              () ->
                  SharedJars.atHome(configuration, cluster.nodes(), directory)
                      .ship(classPath, DEADLINE));
        }
        List<Map<String, LocalResource>> resources = new ArrayList<>();
        long uploaded = 0;
        for (Future<ShippedClassPath> shipment : clients.invokeAll(shipments)) {
          resources.add(shipment.get().resources());
          uploaded += shipment.get().uploadedBytes();
        }
        assertThat(resources).hasSize(CLIENTS).allMatch(resources.get(0)::equals);
        if (round == 0) {
          assertThat(uploaded).isPositive();
        } else {
          assertThat(uploaded).isZero();
        }
      }
    } finally {
      clients.shutdownNow();
    }
  }

  @Test
  void theResourceManagerSaysWhatThereIsRoomFor() throws IOException {
    int memoryMb = LocalCluster.Settings.DEFAULT_MEMORY_MB;
    ClusterResources found =
        ClusterResources.query(configuration, List.of(group(memoryMb / 4)), 512, DEADLINE);
    assertThat(found.nodes()).isEqualTo(2);
    assertThat(found.groups()).containsExactly(new ClusterResources.Room(7, 7));
    assertThatThrownBy(
            () ->
                ClusterResources.query(configuration, List.of(group(memoryMb * 2)), 512, DEADLINE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(memoryMb * 2 + " MB", "at most " + memoryMb + " MB");
  }

  private static ExecutorGroup group(int memoryMb) {
    return new ExecutorGroup(ResourcePriority.NONE, memoryMb, 1, Optional.empty(), List.of());
  }
}
