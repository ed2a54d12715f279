// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessIdentityTest {

  private static final ProcessIdentity CURRENT = ProcessIdentity.current();

  @Test
  void whoRunsIsNotGone() {
    assertThat(CURRENT).isNotEqualTo(ProcessIdentity.UNKNOWN);
    assertThat(CURRENT.isGone()).isFalse();
  }

  @Test
  void whoHasEndedOrIsOfAnotherMachineIsGone() {
    assertThat(of(CURRENT.boot(), CURRENT.namespace(), Integer.MAX_VALUE, 1).isGone()).isTrue();
    assertThat(
            of(CURRENT.boot(), CURRENT.namespace(), CURRENT.number(), CURRENT.start() - 1).isGone())
        .as("one whose number this process has now")
        .isTrue();
    assertThat(of("another", CURRENT.namespace(), CURRENT.number(), 1).isGone()).isTrue();
  }

  @Test
  void ofWhomNothingCanBeKnownMayRun() {
    assertThat(of(CURRENT.boot(), "pid:[1]", Integer.MAX_VALUE, 1).isGone()).isFalse();
    assertThat(ProcessIdentity.UNKNOWN.isGone()).isFalse();
  }

  private static ProcessIdentity of(String boot, String namespace, long number, long start) {
    return new ProcessIdentity(boot, namespace, number, start);
  }
}
