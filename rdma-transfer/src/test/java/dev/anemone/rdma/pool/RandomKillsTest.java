// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class RandomKillsTest {

  private static final int KILLS = 9;

  @Test
  void noByteLeaksAndNoReadIsWrong() throws Exception {
    RandomKills.Outcome outcome = RandomKills.run("tcp", 7, KILLS);

    assertThat(outcome.kills()).isEqualTo(KILLS);
    assertThat(outcome.wrong()).isZero();
    assertThat(outcome.usedBytes()).isZero();
    assertThat(outcome.read()).as("reads").isGreaterThan(KILLS);
  }
}
