// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that is killed leaves nothing on the cluster, nor in its memory pool. */
class YarnClientLossIT {
  private static final int HEARTBEAT_TIMEOUT_SECONDS = 5;
  private static final Duration STRIKE_LIMIT = Duration.ofMinutes(2);
  private static final Duration END_LIMIT = Duration.ofMinutes(3);

  @TempDir private static Path directory;
  private static TestCluster cluster;
  private static PoolServers pool;

  @BeforeAll
  static void start() throws IOException {
    cluster = TestCluster.start(directory);
    pool = new PoolServers(directory);
  }

  @AfterAll
  static void stop() throws IOException {
    try (PoolServers closedLast = pool) {
      cluster.close();
    }
  }

  @Test
  void theApplicationEndsWithItsContainersAndFiles() throws Exception {
    cluster.faults().arm(Fault.once(Fault.Kind.HOLD, FaultyWordCount.COUNT));
    Process client = startClient();
    try {
      cluster.faults().awaitStrike(STRIKE_LIMIT);
      assertThat(cluster.cluster().containers()).hasSizeGreaterThan(1);
      assertThat(cluster.staged()).isNotEmpty();
      assertThat(pool.usedBytes()).isPositive();

      client.destroyForcibly();

      Waiting.until(
          () -> cluster.cluster().containers().isEmpty() && cluster.staged().isEmpty(),
          END_LIMIT,
          () -> "there are containers or files: " + cluster.cluster().containers());
      Waiting.until(
          () -> pool.usedBytes() == 0 && pool.directories().isEmpty(),
          END_LIMIT,
          () -> pool.usedBytes() + " bytes are left in the memory pool");
    } finally {
      client.destroyForcibly();
    }
  }

  private static Process startClient() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx512m");
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-opens"))
        .forEach(command::add);
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            ClusterProgram.class.getName(),
            "--input=" + cluster.input(),
            "--output=" + cluster.output("lost-client")));
    command.addAll(
        cluster.arguments(
            "lost-client",
            "Disaggregation",
            "tez.am.client.heartbeat.timeout.secs=" + HEARTBEAT_TIMEOUT_SECONDS));
    command.addAll(pool.arguments());
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(new File(directory.toFile(), "client.log"))
        .start();
  }
}
