// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One cluster of two nodes, used by clients that know only its configuration directory. */
class LocalClusterIT {
  private static final int BLOCK_BYTES = 4096;
  private static final int BLOCKS = 20;

  @TempDir private static Path temporary;
  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        LocalCluster.start(
            new LocalCluster.Settings(
                2, temporary.resolve("cluster"), 1024, 4, Map.of("dfs.replication", "1")));
  }

  @AfterAll
  static void nothingIsLeft() throws IOException {
    List<NodeAddress> addresses = cluster.addresses().stream().flatMap(Optional::stream).toList();

    cluster.close();

    assertThat(addresses).hasSize(2);
    assertThat(ProcessHandle.current().descendants().filter(Liveness::runs)).isEmpty();
    assertThat(temporary).isEmptyDirectory();
    for (NodeAddress address : addresses) {
      for (int port : List.of(address.port(), address.shufflePort())) {
        assertThatThrownBy(() -> new Socket(address.host(), port).close())
            .isInstanceOf(ConnectException.class);
      }
    }
  }

  @Test
  void filesHaveBlocksOnTheHostsOfNodes() throws IOException {
    assertThat(FileOfBlocks.hosts(cluster))
        .containsExactlyInAnyOrder(
            cluster.addresses().get(0).orElseThrow().host(),
            cluster.addresses().get(1).orElseThrow().host());
  }

  /** The name node sends who reads and writes to a data node, by its name. */
  @Test
  void filesAreWrittenAndReadOverHttp() throws IOException {
    YarnConfiguration configuration =
        RawApplication.clientConfiguration(cluster.configurationDirectory());
    byte[] content = new byte[BLOCKS * BLOCK_BYTES];
    Arrays.fill(content, (byte) 7);
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/tmp/over-http");
    URI address = URI.create("webhdfs://" + configuration.get("dfs.namenode.http-address"));
    try (FileSystem files = FileSystem.newInstance(address, configuration)) {
      try (OutputStream out = files.create(file, true, BLOCK_BYTES, (short) 1, BLOCK_BYTES)) {
        out.write(content);
      }
      try (FSDataInputStream in = files.open(file)) {
        assertThat(in.readAllBytes()).isEqualTo(content);
      }
    }
  }

  @Test
  void theShuffleServiceListensAtItsNodeOnly() throws IOException {
    NodeAddress first = cluster.addresses().get(0).orElseThrow();
    NodeAddress second = cluster.addresses().get(1).orElseThrow();

    try (Socket socket = new Socket(first.host(), first.shufflePort())) {
      assertThat(socket.isConnected()).isTrue();
    }
    assertThatThrownBy(() -> new Socket(second.host(), first.shufflePort()).close())
        .isInstanceOf(ConnectException.class);
  }

  @Test
  void aContainerThatTakesTooMuchMemoryIsKilled() throws Exception {
    // The last line is endless, so tail keeps all of it.
    String hungry = "{ head -c 400000000 /dev/zero; sleep 1000; } | tail";
    try (RawApplication application =
        new RawApplication(cluster.configurationDirectory(), 128, 1, hungry)) {

      assertThat(application.awaitFailure()).contains("beyond the 'PHYSICAL' memory limit");
    }
  }

  @Test
  void aProgramThatEndsFails() throws Exception {
    try (RawApplication application =
        new RawApplication(
            cluster.configurationDirectory(), 128, 1, "test -x $JAVA_HOME/bin/java")) {

      assertThat(application.awaitFailure()).contains("exitCode: 0");
    }
  }

  @Test
  void aLostNodeTakesItsContainersAlong() throws Exception {
    Path warned = temporary.resolve("warned");
    String command = "trap 'touch " + warned + "' TERM; sleep 1000 & wait -n";
    try (RawApplication application =
        new RawApplication(cluster.configurationDirectory(), 128, 2, command)) {
      String first = application.awaitContainer(1, cluster);
      ProcessHandle program = awaitProgram(first, "sleep");
      int node = cluster.containers(0).contains(program) ? 0 : 1;

      cluster.stopNode(node);

      assertThat(Liveness.runs(program)).isFalse();
      assertThat(warned).doesNotExist();
      assertThat(cluster.containers()).isEmpty();
      assertThat(cluster.addresses().get(node)).isEmpty();
      String second = application.awaitContainer(2, cluster);
      ProcessHandle again = awaitProgram(second, "sleep");
      application.awaitDiagnostics("*lost* node");
      assertThat(cluster.containers(1 - node)).containsExactly(again);
      cluster.startNode(node);
      cluster.awaitNodes(Duration.ofSeconds(60));

      again.destroyForcibly();

      application.awaitDiagnostics("exitCode: 137");
    }
  }

  /** Waits until a container's script has come to its program. */
  private static ProcessHandle awaitProgram(String container, String name) {
    Waiting.until(
        () -> cluster.container(container).filter(program -> runs(program, name)).isPresent(),
        Duration.ofSeconds(30),
        () -> name + " does not run in " + container);
    return cluster.container(container).orElseThrow();
  }

  private static boolean runs(ProcessHandle process, String name) {
    return process.info().command().filter(command -> command.endsWith("/" + name)).isPresent();
  }

  @Test
  void aDirectoryWithFilesIsRefused() throws IOException {
    Path file = Files.createFile(Files.createDirectory(temporary.resolve("full")).resolve("file"));
    try {
      assertThatThrownBy(() -> LocalCluster.start(LocalCluster.Settings.of(1, file.getParent())))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("not empty");
      assertThat(file).exists();
    } finally {
      Directories.delete(file.getParent());
    }
  }
}
