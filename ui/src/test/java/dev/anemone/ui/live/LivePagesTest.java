// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.view.ViewSettings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LivePagesTest {

  @Test
  void aPortThatIsTakenIsSaidWithTheAddressOfTheNextOne() throws Exception {
    PrintStream err = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    int port;
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = taken.getLocalPort();
      System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
      new LivePages()
          .start(new ViewSettings(true, Optional.of(port), "127.0.0.1", Optional.empty()));
    } finally {
      System.setErr(err);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .startsWith("Port " + port + " is taken. The job's page is at http://127.0.0.1:")
        .doesNotContain("http://127.0.0.1:" + port + "/");
  }
}
