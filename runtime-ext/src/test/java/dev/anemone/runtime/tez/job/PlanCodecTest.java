// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.serialization.PlanFormatException;
import dev.anemone.runtime.stage.DiscardableOutput;
import dev.anemone.runtime.stage.Redrawing;
import dev.anemone.runtime.stage.StagePartitioner;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.stage.StagePlanner;
import dev.anemone.runtime.stage.StageSample;
import dev.anemone.runtime.testing.TestDags;
import dev.anemone.runtime.testing.TestFunctions;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlanCodecTest {

  private static List<StagePlan> plans() {
    return new StagePlanner(
            StagePartitioner.partition(
                new TestDags()
                    .source("read", "a=1", "b=2")
                    .operator("sum", TestFunctions.SUM, 3)
                    .operator("collect", TestFunctions.COLLECT, 3)
                    .grouped("read", "sum", 3)
                    .oneToOne("sum", "collect")
                    .build()),
            List.of())
        .plan(new StagePlan.Job("job", new byte[] {1, 2}, "file:///reports"));
  }

  @Test
  void plansOfStagesComeBackAsTheyWere() {
    for (StagePlan plan : plans()) {
      StagePlan read = PlanCodec.read(ByteBuffer.wrap(PlanCodec.write(plan)), StagePlan.class);
      assertThat(read).usingRecursiveComparison().isEqualTo(plan);
    }
  }

  @Test
  void schedulesComeBackAsTheyWere() {
    StageSchedule schedule =
        new StageSchedule(
            "job",
            "file:///reports",
            Set.of("v1", "v2"),
            new StageSchedule.Inputs(
                Set.of("stage1", "stage2"), Set.of("stage1"), Set.of("stage4"), Set.of("stage5")),
            List.of(new DiscardableOutput(1, Set.of("stage6", "stage7"))),
            Optional.of("stage3"),
            Set.of("stage2"),
            Optional.of(
                new StageSample(
                    List.of(1, 5),
                    List.of(new StageSample.MeasuredLink("stage6", "sizes", List.of("stage6"))),
                    Set.of("stage6"))),
            Optional.of(
                new Redrawing(
                    "sizes",
                    List.of(
                        new Redrawing.MeasuredShuffle(
                            "stage2",
                            "stage0",
                            List.of("e1"),
                            2,
                            40,
                            512,
                            List.of(new Redrawing.Reading("e1", "e1+e2")))),
                    Map.of("stage2", new Redrawing.Reading("e1", "e1+e2")),
                    38)),
            true);
    assertThat(PlanCodec.read(ByteBuffer.wrap(PlanCodec.write(schedule)), StageSchedule.class))
        .usingRecursiveComparison()
        .isEqualTo(schedule);
  }

  @Test
  void aPlanThatWasCutOffIsRefused() {
    byte[] bytes = PlanCodec.write(plans().get(0));
    assertThatThrownBy(
            () -> PlanCodec.read(ByteBuffer.wrap(bytes, 0, bytes.length - 1), StagePlan.class))
        .isInstanceOf(PlanFormatException.class);
  }
}
