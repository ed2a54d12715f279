// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import dev.anemone.beam.options.DeployMode;
import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.beam.terminal.ProgressView;
import dev.anemone.beam.view.JobView;
import dev.anemone.runtime.engine.RunningJob;
import dev.anemone.runtime.tez.client.TezEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.beam.runners.core.metrics.MetricsContainerStepMap;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.PipelineRunner;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.util.common.ReflectHelpers;

/**
 * Runs bounded Beam pipelines: translates them to the IR, optimizes that with a policy, and runs it
 * on Apache Tez. See {@link NemoPipelineOptions} for what can be set. With {@code
 * anemone-portability} on the class path, pipelines may have steps of other SDKs.
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
    GraphRun run = GraphRun.of(options, asked);
    // Asked now, since the translation replaces transforms.
    Optional<Duration> limit = TestPipelines.limit(pipeline, options);
    List<String> results = WrittenFiles.of(pipeline);
    return PipelineWay.of(pipeline, options)
        .map(way -> run.run(way.translator(), way.inRows(), results, limit))
        .orElseGet(NothingRanResult::new);
  }

  /**
   * What {@link #run} would do with the pipeline, as {@code --explain=tree} prints it: the plan as
   * a tree, and what the policy decided. Runs nothing. The pipeline's transforms may be replaced by
   * others that do the same.
   *
   * @param columns no line is longer, but for words that are
   * @throws IllegalArgumentException when the pipeline cannot run; names the step or option, and
   *     what would be right
   */
  public String explain(Pipeline pipeline, int columns) {
    GraphRun run = GraphRun.of(options, asked);
    return PipelineWay.of(pipeline, options)
        .map(way -> run.explain(way.translator(), way.inRows(), columns))
        .orElse("The pipeline has no steps: there is nothing to run.\n");
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
    ClassLoader classLoader = ReflectHelpers.findClassLoader();
    Optional<JobView> shown = settings.view().open(classLoader);
    try {
      RunningJob job = TezEngine.attach(settings.engine(), applicationId, classLoader);
      shown.ifPresent(view -> job.events().ifPresent(view::began));
      Optional<ProgressView> progress =
          settings.progress() ? Optional.of(ProgressView.ofAttached()) : Optional.empty();
      progress.ifPresent(view -> job.events().ifPresent(view::began));
      return new NemoPipelineResult(
          job,
          new MetricsContainerStepMap(),
          GraphRun.summaryTarget(settings),
          shown,
          progress,
          settings.cancel());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
