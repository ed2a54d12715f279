// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyStatusTest {

  private static final ProxyStatus STATUS =
      new ProxyStatus(
          new ProxyStatus.DataNodeIdentity("u", "node", 1, 2),
          3,
          new ProxyStatus.Plans(4, 5, 6),
          new ProxyStatus.Rates(7.5, 8.5, 9.5),
          new ProxyStatus.Totals(10, 11, 12, 13, 14));

  private static final String JSON =
      "{\"dataNode\":{\"uuid\":\"u\",\"host\":\"node\",\"dataPort\":1,\"httpPort\":2},\"cores\":3,"
          + "\"running\":4,\"queued\":5,\"queueLimit\":6,"
          + "\"plansPerSecond\":7.5,\"bytesPerSecond\":8.5,\"coreSecondsPerSecond\":9.5,"
          + "\"bytesIn\":10,\"bytesOut\":11,\"finished\":12,\"failed\":13,\"busy\":14}";

  private static ProxyStatus read(String json) throws IOException {
    return ProxyStatus.read(json.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void allNumbersAreSideBySide() throws IOException {
    assertThat(new String(STATUS.json(), StandardCharsets.UTF_8)).isEqualTo(JSON);
    assertThat(read(JSON)).isEqualTo(STATUS);
  }

  @Test
  void whatANewerProxySaysMoreIsLeftOut() throws IOException {
    assertThat(read(JSON.replace("\"busy\"", "\"disks\":2,\"busy\""))).isEqualTo(STATUS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dataNode", "cores", "running", "bytesPerSecond", "busy"})
  void aStatusWithoutOneOfThemIsNone(String name) {
    assertThatThrownBy(() -> read(JSON.replace('"' + name + '"', "\"other\"")))
        .isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "null", "[]", "{", "1"})
  void whatIsNoStatusIsRefused(String json) {
    assertThatThrownBy(() -> read(json)).isInstanceOf(IOException.class);
  }
}
