// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.runtime.engine.ExecutorGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;

class ClusterResourcesTest {

  private static final Duration DEADLINE = Duration.ofMillis(1500);

  /** Far below the minutes that Hadoop's own settings make a client wait. */
  private static final Duration SOON = Duration.ofSeconds(10);

  @Test
  void aResourceManagerThatIsNotThereIsNamedByTheDeadline() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    assertNoAnswer("127.0.0.1:" + port);
  }

  @Test
  void aResourceManagerThatIsSilentIsNamedByTheDeadline() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertNoAnswer("127.0.0.1:" + socket.getLocalPort());
    }
  }

  private static void assertNoAnswer(String address) {
    YarnConfiguration configuration = new YarnConfiguration();
    configuration.set(YarnConfiguration.RM_ADDRESS, address);
    ExecutorGroup group =
        new ExecutorGroup(ResourcePriority.NONE, 1024, 1, Optional.empty(), List.of());
    long start = System.nanoTime();
    assertThatThrownBy(() -> ClusterResources.query(configuration, List.of(group), 1024, DEADLINE))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(address, "gives no answer", "yarn-site.xml");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
  }
}
