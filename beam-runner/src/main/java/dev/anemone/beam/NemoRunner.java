// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import dev.anemone.beam.options.DeployMode;
import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.beam.spec.JobPayload;
import dev.anemone.beam.translation.PipelineTranslator;
import dev.anemone.beam.translation.Translation;
import dev.anemone.passes.OptimizationTrace;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.policy.Optimizer;
import dev.anemone.passes.policy.Policy;
import dev.anemone.passes.policy.PolicyRegistry;
import dev.anemone.runtime.engine.Job;
import dev.anemone.runtime.engine.JobEngine;
import dev.anemone.runtime.engine.RunningJob;
import dev.anemone.runtime.engine.TaskNativeMemory;
import dev.anemone.runtime.tez.client.TezEngine;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import org.apache.beam.runners.core.metrics.MetricsContainerStepMap;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.PipelineRunner;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.metrics.MetricsEnvironment;
import org.apache.beam.sdk.metrics.MetricsOptions;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.util.common.ReflectHelpers;

/**
 * Runs bounded Beam pipelines: translates them to the IR, optimizes that with a policy, and runs it
 * on Apache Tez. See {@link NemoPipelineOptions} for what can be set.
 *
 * <p>{@link #run} waits for the pipeline's end, as Beam's other runners for batches do; with {@code
 * --blockOnRun=false}, and for a job that is {@code --detached}, it returns when the job has been
 * submitted.
 */
public final class NemoRunner extends PipelineRunner<PipelineResult> {

  private final PipelineOptions options;
  private final RunSettings asked;

  private NemoRunner(PipelineOptions options, RunSettings asked) {
    this.options = options;
    this.asked = asked;
  }

  /**
   * Beam calls this.
   *
   * @throws InvalidPipelineException when an option has a bad value; names it
   */
  public static NemoRunner fromOptions(PipelineOptions options) {
    RunSettings settings = RunSettings.of(options);
    // The pipeline's steps may look at files while they are put together.
    FileSystems.setDefaultPipelineOptions(options);
    return new NemoRunner(options, settings);
  }

  /**
   * Compiles the pipeline, starts it, and waits for its end; or returns when the job has been
   * submitted, with {@code --blockOnRun=false} or {@code --detached}. The pipeline's transforms may
   * be replaced by others that do the same. A pipeline without steps is done at once.
   *
   * <p>A thread that is interrupted while it waits cancels the pipeline, and so does the end of a
   * test's {@code --testTimeoutSeconds}: of a {@code TestPipeline}, or any pipeline with a {@code
   * PAssert}.
   *
   * @throws Pipeline.PipelineExecutionException when a pipeline that is waited for fails; the cause
   *     is what user code threw
   * @throws AssertionError when a test is not done in its time
   * @throws IllegalStateException when this thread was interrupted
   * @throws IllegalArgumentException when the pipeline cannot run, before anything has run; names
   *     the step or option, and what would be right
   */
  @Override
  public PipelineResult run(Pipeline pipeline) {
    RunSettings roomy = asked.withRoomOfCluster();
    // Without this, tests do not count on metrics, and user code does not count them.
    MetricsEnvironment.setMetricsSupported(true);
    ClassLoader classLoader = ReflectHelpers.findClassLoader();
    Policy policy = policy(roomy, classLoader);
    MetricsPush push = MetricsPush.of(options.as(MetricsOptions.class));
    if (!PipelineCheck.hasSteps(pipeline)) {
      return new NothingRanResult();
    }
    // Asked now, since the translation replaces transforms.
    Optional<Duration> limit = TestPipelines.limit(pipeline, options);
    Translation translation =
        PipelineTranslator.translate(pipeline, options, roomy.engine().slots());
    RunSettings settings =
        roomy.withNativeMemory(options, TaskNativeMemory.boundOf(translation.dag()));
    PassContext context = StoreSettings.withRoom(settings.passContext(), policy, settings.engine());
    OptimizationTrace trace = Optimizer.standard().optimize(policy, translation.dag(), context);
    Explanation explanation =
        new Explanation(
            trace.withNotes(
                "Lowering", TezEngine.loweredStores(settings.engine(), trace.result())));
    settings.dagDirectory().ifPresent(explanation::write);
    explanation.print(settings.explain(), System.out);
    if (settings.explainOnly()) {
      return new NothingRanResult();
    }
    JobEngine engine = TezEngine.of(settings.engine());
    RunningJob job =
        engine.submit(
            new Job(
                options.getJobName(),
                trace.result(),
                trace.runTimePasses(),
                context,
                JobPayload.of(options).toBytes(),
                classLoader));
    settings.detachedFor().ifPresent(deadline -> printDetached(job, deadline));
    NemoPipelineResult result =
        new NemoPipelineResult(job, translation.metrics(), summaryTarget(settings));
    push.start(result);
    if (options.as(NemoPipelineOptions.class).isBlockOnRun() && settings.detachedFor().isEmpty()) {
      BlockingRun.await(result, limit);
    }
    return result;
  }

  /**
   * Finds a job that was detached.
   *
   * @param options name the cluster; the deploy mode is set
   * @param applicationId as in {@code application_1700000000000_0001}
   * @throws IllegalArgumentException when an option has a bad value, or there is no such id
   * @throws UncheckedIOException when the cluster does not know the application, or gives no answer
   */
  public static NemoPipelineResult attach(PipelineOptions options, String applicationId) {
    options.as(NemoPipelineOptions.class).setDeployMode(DeployMode.YARN.name());
    RunSettings settings = RunSettings.of(options);
    try {
      return new NemoPipelineResult(
          TezEngine.attach(settings.engine(), applicationId, ReflectHelpers.findClassLoader()),
          new MetricsContainerStepMap(),
          summaryTarget(settings));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Optional<PrintStream> summaryTarget(RunSettings settings) {
    return settings.summary() ? Optional.of(System.err) : Optional.empty();
  }

  private void printDetached(RunningJob job, Duration deadline) {
    String id = job.applicationId().orElse(job.id());
    System.err.printf(
        "Job %s runs as %s, for %d minutes at most; 'anemone attach %s' waits for it.%n",
        options.getJobName(), id, deadline.toMinutes(), id);
  }

  private static Policy policy(RunSettings settings, ClassLoader classLoader) {
    PolicyRegistry registry = PolicyRegistry.of(classLoader);
    return settings.passes().isEmpty()
        ? registry.policy(settings.policy())
        : registry.adHoc(String.join(",", settings.passes()));
  }
}
