// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
  private static final Path DIRECTORY = Path.of("/tmp/cluster");

  @ParameterizedTest
  @ValueSource(ints = {-1, 201})
  void theNumberOfNodesIsBounded(int nodes) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LocalCluster.Settings.of(nodes, DIRECTORY))
        .withMessageContaining("0 to 200 nodes, not " + nodes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/tmp/two words", "/tmp/a,b", "/tmp/50%", "/tmp/ä"})
  void pathsThatHadoopMisreadsAreRefused(String directory) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LocalCluster.Settings.of(1, Path.of(directory)))
        .withMessageContaining(directory);
  }

  @Test
  void aNodeHasRoomForAContainer() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LocalCluster.Settings(1, DIRECTORY, 127, 1, Map.of()))
        .withMessageContaining("at least 128 MB, not 127");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LocalCluster.Settings(1, DIRECTORY, 128, 0, Map.of()))
        .withMessageContaining("at least one core, not 0");
  }

  @Test
  void theDirectoryIsAbsolute() {
    assertThat(LocalCluster.Settings.of(1, Path.of("x/../y")).directory())
        .isEqualTo(Path.of("y").toAbsolutePath());
  }
}
