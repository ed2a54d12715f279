package dev.anemone.runtime.tez;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.serialization.PlanFormatException;
import dev.anemone.runtime.stage.StagePartitioner;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.stage.StagePlanner;
import dev.anemone.runtime.testing.TestDags;
import dev.anemone.runtime.testing.TestFunctions;
import java.nio.ByteBuffer;
import java.util.List;
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
                    .build()))
        .plan("job", new byte[] {1, 2}, "file:///reports");
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
    StageVertexManager.Schedule schedule =
        new StageVertexManager.Schedule(
            Set.of("stage1", "stage2"), Set.of("stage1"), Set.of("stage4"), Optional.of("stage3"));
    assertThat(
            PlanCodec.read(
                ByteBuffer.wrap(PlanCodec.write(schedule)), StageVertexManager.Schedule.class))
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
