// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.lab.report.Circumstances.Machine;
import org.junit.jupiter.api.Test;

class MachineTest {
  @Test
  void isBusyWhenOtherProgramsTakeMoreThanHalfOfTheProcessors() {
    Machine machine = new Machine(4, 8_000_000_000L, "Linux", "JVM");

    assertThat(machine.isBusy(2)).isFalse();
    assertThat(machine.isBusy(2.1)).isTrue();
  }

  @Test
  void anUnknownLoadIsNotBusy() {
    assertThat(Machine.current().isBusy(-1)).isFalse();
  }

  @Test
  void describesTheMachineInOneLine() {
    assertThat(new Machine(2, 25_276_510_208L, "Linux 6.1 amd64", "OpenJDK 17").describe())
        .isEqualTo("2 processors, 25 GB, Linux 6.1 amd64, OpenJDK 17");
  }
}
