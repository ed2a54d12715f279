// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.junit.jupiter.api.Test;

class LostContainerTest {

  @Test
  void aContainerThatEndsHavingNothingToDoIsNotLost() {
    assertThat(LostContainer.cause(ContainerExitStatus.SUCCESS)).isEmpty();
  }

  @Test
  void whatYarnSaysBecomesASentence() {
    assertThat(LostContainer.cause(ContainerExitStatus.PREEMPTED).orElseThrow())
        .isEqualTo("preempted by YARN");
    assertThat(LostContainer.cause(ContainerExitStatus.KILLED_EXCEEDED_PMEM).orElseThrow())
        .contains("more memory");
  }

  @Test
  void aProcessThatEndsByItselfIsLostWithItsStatus() {
    assertThat(LostContainer.cause(137).orElseThrow()).endsWith("exit status 137");
  }
}
