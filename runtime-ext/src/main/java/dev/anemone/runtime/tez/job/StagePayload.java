// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.stage.TaskPlan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.apache.tez.dag.api.UserPayload;

/**
 * What Tez carries to each task of a stage: where the stage's plan is. Tez has it in memory, and
 * sends it, once for each attempt; so it says no more.
 *
 * @param jobId the job's id
 * @param reportDirectory URI of the job's directory
 * @param stage name of the stage
 * @param plan where its plan is
 */
public record StagePayload(
    String jobId, String reportDirectory, String stage, PlanFile.Address plan) {

  public StagePayload {
    Objects.requireNonNull(jobId, "jobId");
    Objects.requireNonNull(reportDirectory, "reportDirectory");
    Objects.requireNonNull(stage, "stage");
    Objects.requireNonNull(plan, "plan");
  }

  /** Writes the plan of a stage into a file of its job. */
  public static StagePayload store(StagePlan plan, JobFiles files) throws IOException {
    return new StagePayload(
        plan.job().id(),
        plan.job().reportDirectory(),
        plan.stage().name(),
        PlanFile.write(
            files,
            plan.stage().name(),
            PlanCodec.write(TaskPlan.common(plan)),
            plan.stage().parallelism(),
            task -> PlanCodec.write(TaskPlan.of(plan, task))));
  }

  /** As Tez carries it. */
  public UserPayload toTez() {
    return UserPayload.create(ByteBuffer.wrap(PlanCodec.write(this)));
  }

  /**
   * What a task was sent.
   *
   * @throws dev.anemone.ir.serialization.PlanFormatException when that is something else
   */
  public static StagePayload of(UserPayload payload) {
    return PlanCodec.read(payload.getPayload(), StagePayload.class);
  }

  /** The job's files, as a task reaches them. */
  public JobFiles files() throws IOException {
    return JobFiles.of(reportDirectory);
  }

  /**
   * The plan of the stage with what the task reads, and not what other tasks do.
   *
   * @param scope keeps what the tasks of the stage have in common
   * @param task index of the task
   * @throws IOException when the file cannot be read
   */
  public StagePlan load(JobScope scope, int task) throws Exception {
    return load(scope.objects(), task);
  }

  StagePlan load(SharedObjects objects, int task) throws Exception {
    CommonPlan common =
        objects.get(
            "anemone.plan " + plan.name(),
            () -> {
              PlanFile file = PlanFile.open(files(), plan);
              return new CommonPlan(file, read(file.common(), StagePlan.class));
            });
    return read(common.file().ofTask(task), TaskPlan.class).in(common.plan(), task);
  }

  private static <T extends Record> T read(byte[] bytes, Class<T> type) {
    return PlanCodec.read(ByteBuffer.wrap(bytes), type);
  }

  /**
   * What the tasks of a stage share in a JVM.
   *
   * @param file of the stage's plan
   * @param plan what all tasks of the stage have in common
   */
  private record CommonPlan(PlanFile file, StagePlan plan) {}
}
