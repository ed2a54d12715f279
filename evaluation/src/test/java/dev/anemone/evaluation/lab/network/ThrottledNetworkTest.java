// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.evaluation.lab.ExperimentFailure;
import org.junit.jupiter.api.Test;

class ThrottledNetworkTest {
  private static final String CLASSES =
      """
      class htb 1:1 root prio 0 rate 40Gbit ceil 40Gbit burst 128Kb cburst 128Kb
       Sent 14066 bytes 213 pkt (dropped 0, overlimits 213 requeues 0)
       backlog 0b 0p requeues 0
      class htb 1:2 root prio 0 rate 100Mbit ceil 100Mbit burst 128Kb cburst 128Kb
       Sent 25026144 bytes 396 pkt (dropped 0, overlimits 208 requeues 0)
       backlog 0b 0p requeues 0
      """;

  @Test
  void readsWhatTheSlowClassHasSent() {
    assertThat(ThrottledNetwork.sent(CLASSES)).isEqualTo(25_026_144);
  }

  @Test
  void saysSoWhenThereIsNoSuchClass() {
    assertThatThrownBy(() -> ThrottledNetwork.sent(CLASSES.replace("htb 1:2", "htb 1:3")))
        .isInstanceOf(ExperimentFailure.class)
        .hasMessageContaining("does not say what the throttled link has carried");
  }
}
