// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.runtime.tez.job.PlanCodec;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class TaskWaitsTest {

  @Test
  void nobodyWaitsForNoTimeAtAll() {
    assertThatThrownBy(() -> new TaskWaits(1, 1, 0, 1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least 1 ms, were 1, 1, 0, 1 and 1");
  }

  @Test
  void tasksLearnWhatTheJobWants() {
    StagePlan.Job job = new StagePlan.Job("id", new byte[0], "", new TaskWaits(1, 2, 3, 4, 5));
    assertThat(PlanCodec.read(ByteBuffer.wrap(PlanCodec.write(job)), StagePlan.Job.class).waits())
        .isEqualTo(job.waits());
  }
}
