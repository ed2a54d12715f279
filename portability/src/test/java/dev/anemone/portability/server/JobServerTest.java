// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobServerTest {

  @TempDir Path directory;

  @Test
  void aPortThatIsTakenIsNamed() throws Exception {
    try (JobServer first = JobServer.start(new JobServerSettings(0, 0, 0, directory))) {
      String endpoint = first.jobEndpoint();
      int port = Integer.parseInt(endpoint.substring(endpoint.indexOf(':') + 1));

      assertThat(port).isPositive();
      assertThatThrownBy(() -> JobServer.start(new JobServerSettings(port, 0, 0, directory)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("--port=" + port)
          .hasMessageContaining("Give a port that nobody has");
    }
  }

  /** A port that somebody listens at by all addresses cannot be had by another one. */
  @Test
  void nobodyButThisMachineReachesIt() throws Exception {
    InetAddress another = InetAddress.getByName("127.0.0.2");
    try (JobServer server = JobServer.start(new JobServerSettings(0, 0, 0, directory))) {
      for (String endpoint :
          List.of(server.jobEndpoint(), server.artifactEndpoint(), server.expansionEndpoint())) {
        int port = Integer.parseInt(endpoint.substring(endpoint.indexOf(':') + 1));

        try (ServerSocket socket = new ServerSocket(port, 1, another)) {
          assertThat(socket.getLocalPort()).isEqualTo(port);
        }
      }
    }
  }

  @Test
  void numbersThatAreNoPortsAreRefused() {
    assertThatThrownBy(() -> new JobServerSettings(0, 70_000, 0, directory))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--artifactPort=70000");
  }
}
