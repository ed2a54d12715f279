// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterHomeTest {
  @TempDir private Path directory;

  private static ClusterRecord own(Path data) {
    return ClusterRecord.starting(LocalCluster.Settings.of(2, data));
  }

  @Test
  void whatIsWrittenIsRead() throws IOException {
    ClusterHome home = new ClusterHome(directory);
    ClusterRecord starting = own(home.data());
    ClusterRecord serving =
        new ClusterRecord(
            starting.pid(),
            starting.started(),
            2,
            1024,
            4,
            home.data(),
            Optional.of(
                new ClusterRecord.Access(
                    Path.of("/conf"),
                    URI.create("http://localhost:1"),
                    URI.create("http://localhost:2"))));
    assertThat(home.read()).isEmpty();

    home.write(starting);
    assertThat(home.read()).contains(starting);

    home.write(serving);
    assertThat(home.read()).contains(serving);
  }

  @Test
  void clearingLeavesWhatIsNotOfACluster() throws IOException {
    ClusterHome home = new ClusterHome(directory.resolve("home"));
    Path other = Files.createDirectories(home.directory()).resolve("other");
    Files.createFile(other);
    Files.createFile(home.log());
    Files.createFile(Files.createDirectories(home.temporary().resolve("jetty-1")).resolve("page"));
    home.write(own(home.data()));

    home.clear();
    assertThat(home.directory()).isDirectoryContaining(other::equals);
    assertThat(home.directory().toFile().list()).hasSize(1);

    Files.delete(other);
    home.clear();
    assertThat(home.directory()).doesNotExist();
  }

  @Test
  void theEnvironmentNamesIt() {
    assertThat(ClusterHome.ofUser(Map.of("ANEMONE_CLUSTER_DIR", "/a/b")).directory())
        .isEqualTo(Path.of("/a/b"));
    assertThat(ClusterHome.ofUser(Map.of()).directory())
        .isEqualTo(Path.of(System.getProperty("user.home"), ".anemone", "cluster"));
  }

  @Test
  void aProcessThatGotTheSameIdLaterIsAnotherOne() {
    ClusterRecord own = own(directory);
    assertThat(own.process()).contains(ProcessHandle.current());

    ClusterRecord earlier =
        new ClusterRecord(
            own.pid(),
            own.started().minus(Duration.ofMinutes(1)),
            1,
            1024,
            1,
            directory,
            Optional.empty());
    assertThat(earlier.process()).isEmpty();
  }
}
