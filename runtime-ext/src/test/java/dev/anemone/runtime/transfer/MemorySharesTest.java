// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.stage.StagePartitioner;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.stage.StagePlanner;
import dev.anemone.runtime.testing.TestDags;
import dev.anemone.runtime.testing.TestFunctions;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemorySharesTest {

  private static final long PAGE = PagePool.PAGE_BYTES;

  /** A stage with a grouped input, a broadcast one, and an output. */
  private static StagePlan plan() {
    return new StagePlanner(
            StagePartitioner.partition(
                new TestDags()
                    .source("read", "a=1")
                    .source("side", "x")
                    .operator("sum", TestFunctions.SUM, 2)
                    .operator("with", TestFunctions.WITH_SIDE, 2)
                    .operator("again", TestFunctions.SUM, 2)
                    .grouped("read", "sum", 2)
                    .oneToOne("sum", "with")
                    .broadcast("side", "with", "side")
                    .grouped("with", "again", 2)
                    .build()),
            List.of())
        .plan(new StagePlan.Job("job", new byte[0], "file:///reports")).stream()
            .filter(plan -> plan.inputs().size() == 2)
            .findFirst()
            .orElseThrow();
  }

  @Test
  void streamedInputsGetAFewPagesAndTheOthersEqualShares() {
    MemoryShares shares = MemoryShares.of(plan(), 103 * PAGE);
    assertThat(shares.streamBytes()).isEqualTo(3 * PAGE);
    assertThat(shares.shareBytes()).isEqualTo(50 * PAGE);
  }

  @Test
  void aTaskWithTooLittleSaysHowMuchItNeeds() {
    assertThatThrownBy(() -> MemoryShares.of(plan(), 18 * PAGE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(19 * PAGE + " bytes")
        .hasMessageContaining(18 * PAGE + "")
        .hasMessageContaining("more by --offHeapMemoryMb");
  }
}
