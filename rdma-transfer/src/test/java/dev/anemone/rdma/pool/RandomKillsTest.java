// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class RandomKillsTest {

  @Test
  void noByteLeaksAndNoReadIsWrong() throws Exception {
    check("tcp", 6);
  }

  /** A killed server takes its port again, which UCX gets only after a minute. */
  @Test
  @Tag("nightly")
  void noByteLeaksAndNoReadIsWrongOverUcx() throws Exception {
    assertThat(OverUcx.require().name()).isEqualTo("ucx");
    check("ucx", 3);
  }

  private static void check(String transport, int kills) throws Exception {
    RandomKills.Outcome outcome = RandomKills.run(transport, 7, kills);

    assertThat(outcome.kills()).isEqualTo(kills);
    assertThat(outcome.wrong()).isZero();
    assertThat(outcome.usedBytes()).isZero();
    assertThat(outcome.read()).as("reads").isGreaterThan(kills);
  }
}
