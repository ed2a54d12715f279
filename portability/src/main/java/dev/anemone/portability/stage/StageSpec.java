// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import static java.util.Objects.requireNonNull;

import dev.anemone.beam.spec.StepPayload;
import java.io.Serializable;
import org.apache.beam.model.pipeline.v1.RunnerApi.ExecutableStagePayload;
import org.apache.beam.runners.fnexecution.provisioning.JobInfo;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.util.construction.graph.ExecutableStage;
import org.apache.beam.sdk.values.WindowingStrategy;

/**
 * A fused stage of steps that an SDK harness runs. Its outputs in the IR have the ids of its output
 * collections, its side inputs those of theirs.
 *
 * @param stepName of its steps, for people
 * @param payload the stage, as Beam's fuser writes it
 * @param job what the harness gets to know of the job
 * @param keys how its input is read by key, for a stage with state or timers
 */
public record StageSpec(String stepName, ExecutableStagePayload payload, JobInfo job, Keys keys)
    implements StepPayload {

  /** What the URNs of this package begin with. */
  static final String PREFIX = "anemone:portable:";

  /** Operator: a stage, {@link StageSpec}. */
  public static final String STAGE = PREFIX + "stage:v1";

  /** Group operator: a stage with state or timers, {@link StageSpec}; groups hold whole keys. */
  public static final String KEYED_STAGE = PREFIX + "keyed_stage:v1";

  /** Operator: hands elements on in the order of their bytes, {@code ElementCoderSpec}. */
  public static final String CONTENT_ORDER = PREFIX + "content_order:v1";

  /** Source of no elements. No payload, neither vertex nor part. */
  public static final String NOTHING = PREFIX + "nothing:v1";

  /**
   * How a keyed input is read.
   *
   * @param coder of its pairs
   * @param windowCoder of its windows
   */
  public record Keys(KvCoder<?, ?> coder, Coder<? extends BoundedWindow> windowCoder)
      implements Serializable {

    public Keys {
      requireNonNull(coder, "coder");
      requireNonNull(windowCoder, "windowCoder");
    }
  }

  public StageSpec {
    requireNonNull(stepName, "stepName");
    requireNonNull(payload, "payload");
    requireNonNull(job, "job");
  }

  /** A stage that takes elements one by one. */
  public static StageSpec of(String stepName, ExecutableStagePayload payload, JobInfo job) {
    return new StageSpec(stepName, payload, job, null);
  }

  /** A stage that takes key-value pairs, and keeps state by key. */
  public static StageSpec keyed(
      String stepName,
      ExecutableStagePayload payload,
      JobInfo job,
      KvCoder<?, ?> coder,
      WindowingStrategy<?, ?> windowing) {
    Keys keys = new Keys(coder, windowing.getWindowFn().windowCoder());
    return new StageSpec(stepName, payload, job, keys);
  }

  ExecutableStage stage() {
    return ExecutableStage.fromPayload(payload);
  }
}
