// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import dev.anemone.beam.jobs.OwnJobs;
import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.beam.spec.JobPayload;
import dev.anemone.beam.terminal.ProgressView;
import dev.anemone.beam.translation.Translation;
import dev.anemone.beam.view.JobView;
import dev.anemone.ir.IRDag;
import dev.anemone.passes.OptimizationTrace;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.policy.Optimizer;
import dev.anemone.passes.policy.Policy;
import dev.anemone.passes.policy.PolicyRegistry;
import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.engine.Job;
import dev.anemone.runtime.engine.JobEngine;
import dev.anemone.runtime.engine.JobStory;
import dev.anemone.runtime.engine.RunningJob;
import dev.anemone.runtime.engine.TaskNativeMemory;
import dev.anemone.runtime.tez.client.TezEngine;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.apache.beam.runners.core.metrics.MetricsContainerStepMap;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.metrics.MetricsEnvironment;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.util.common.ReflectHelpers;

/**
 * One run of a pipeline, whatever it was written in, from its graph on: optimizes it with the
 * policy of the options, and runs it where they say. Used by one thread, once.
 */
public final class GraphRun {

  private final PipelineOptions options;
  private final RunSettings roomy;
  private final ClassLoader classLoader;
  private final Policy policy;
  private final MetricsPush push;

  private GraphRun(
      PipelineOptions options, RunSettings roomy, ClassLoader classLoader, Policy policy) {
    this.options = options;
    this.roomy = roomy;
    this.classLoader = classLoader;
    this.policy = policy;
    this.push = MetricsPush.of(options.as(NemoPipelineOptions.class));
  }

  /**
   * A run with these options. Asks the cluster, if they name one, how much room it has.
   *
   * @throws InvalidPipelineException when an option has a bad value; names it
   */
  public static GraphRun of(PipelineOptions options) {
    RunSettings settings = RunSettings.of(options);
    FileSystems.setDefaultPipelineOptions(options);
    return of(options, settings);
  }

  /**
   * Checks the options of runs. No cluster is asked.
   *
   * @throws InvalidPipelineException when one has a bad value; names it
   */
  public static void check(PipelineOptions options) {
    RunSettings unused = RunSettings.of(options);
  }

  /**
   * The machines of the cluster that may run tasks; empty where this JVM does. Asks the cluster.
   *
   * @throws UncheckedIOException when the cluster gives no answer
   */
  public List<String> hosts() {
    if (!(roomy.engine().deployment() instanceof Deployment.Yarn yarn)) {
      return List.of();
    }
    try {
      return TezEngine.hosts(yarn);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static GraphRun of(PipelineOptions options, RunSettings asked) {
    RunSettings roomy = asked.withRoomOfCluster();
    // Without this, tests do not count on metrics, and user code does not count them.
    MetricsEnvironment.setMetricsSupported(true);
    ClassLoader classLoader = ReflectHelpers.findClassLoader();
    return new GraphRun(options, roomy, classLoader, policy(roomy, classLoader));
  }

  private static Policy policy(RunSettings settings, ClassLoader classLoader) {
    PolicyRegistry registry = PolicyRegistry.of(classLoader);
    return settings.passes().isEmpty()
        ? registry.policy(settings.policy())
        : registry.adHoc(String.join(",", settings.passes()));
  }

  /**
   * Translates, optimizes and runs, and waits for the end if the options do not say otherwise. A
   * thread that is interrupted while it waits cancels the job.
   *
   * @param translator makes the graph, given how many tasks can run at once
   * @param inRows why parts of the pipeline's queries are run in rows, for explanations
   * @param results where it writes files, as far as is known
   * @param limit how long a job that is waited for may take; empty for as long as it takes
   * @return a {@link NemoPipelineResult} if something ran
   * @throws Pipeline.PipelineExecutionException when a pipeline that is waited for fails; the cause
   *     is what user code threw
   * @throws AssertionError when it is not done in its time
   * @throws IllegalStateException when this thread was interrupted
   * @throws IllegalArgumentException when the pipeline cannot run, before anything has run
   */
  public PipelineResult run(
      IntFunction<Translation> translator,
      List<String> inRows,
      List<String> results,
      Optional<Duration> limit) {
    if (!roomy.explainOnly()) {
      TezEngine.of(roomy.engine()).prepare();
    }
    CompiledGraph compiled = compile(translator);
    Explanation explanation = compiled.explanation(inRows);
    compiled.settings().dagDirectory().ifPresent(explanation::write);
    explanation.print(compiled.settings().explain(), System.out, classLoader);
    if (compiled.settings().explainOnly()) {
      return new NothingRanResult();
    }
    NemoPipelineResult result = submit(compiled, results);
    push.start(result);
    if (options.as(NemoPipelineOptions.class).isBlockOnRun() && roomy.detachedFor().isEmpty()) {
      BlockingRun.await(result, limit);
    }
    return result;
  }

  /**
   * Translates and optimizes, runs nothing, and says what the job would be.
   *
   * @param translator makes the graph, given how many tasks can run at once
   * @param inRows why parts of the pipeline's queries are run in rows
   * @param columns no line is longer, but for words that are
   * @throws IllegalArgumentException when the pipeline cannot run
   */
  String explain(IntFunction<Translation> translator, List<String> inRows, int columns) {
    return compile(translator).explanation(inRows).tree(columns);
  }

  private CompiledGraph compile(IntFunction<Translation> translator) {
    Translation translation = translator.apply(roomy.engine().slots());
    PassContext compressed =
        CompressionSettings.withDefault(roomy.passContext(), policy, roomy.engine().deployment());
    PassContext known =
        JoinSettings.withLimit(
            StoreSettings.withRoom(compressed, policy, roomy.engine()), policy, options);
    OptimizationTrace trace = Optimizer.standard().optimize(policy, translation.dag(), known);
    // Passes make one query of several, which takes less than all of them.
    RunSettings settings =
        roomy.withNativeMemory(options, TaskNativeMemory.boundOf(trace.result()));
    PassContext context = known.withMemoryPerTask(settings.passContext().memoryPerTaskBytes());
    return new CompiledGraph(settings, translation, context, trace);
  }

  private NemoPipelineResult submit(CompiledGraph compiled, List<String> results) {
    RunSettings settings = compiled.settings();
    Translation translation = compiled.translation();
    OptimizationTrace trace = compiled.trace();
    JobPayload payload = JobPayload.of(options);
    MetricsContainerStepMap counted = new MetricsContainerStepMap();
    counted.updateAll(translation.metrics());
    JobStory story = new PipelineStory(policy.name(), payload, trace, counted);
    Optional<JobView> view = settings.view().open(classLoader);
    if (view.isPresent()) {
      story = story.watchedBy(view.get());
    }
    Optional<ProgressView> progress = progress(settings, trace.result(), results);
    if (progress.isPresent()) {
      story = story.watchedBy(progress.get());
    }
    JobEngine engine = TezEngine.of(settings.engine());
    RunningJob job =
        engine.submit(
            new Job(
                options.getJobName(),
                trace.result(),
                trace.runTimePasses(),
                compiled.context(),
                payload.toBytes(),
                translation.files(),
                classLoader,
                story));
    if (settings.detachedFor().isPresent()) {
      printDetached(job, settings.detachedFor().get());
    } else {
      OwnJobs.OF_THIS_JVM.add(job, options.getJobName(), policy.name());
    }
    return new NemoPipelineResult(
        job, translation.metrics(), summaryTarget(settings), view, progress, settings.cancel());
  }

  /** Nobody sees how far a job is whose client does not wait. */
  private Optional<ProgressView> progress(RunSettings settings, IRDag plan, List<String> results) {
    return settings.progress() && settings.detachedFor().isEmpty()
        ? Optional.of(
            ProgressView.of(
                plan,
                Optional.ofNullable(options.as(NemoPipelineOptions.class).getEventLog()),
                results))
        : Optional.empty();
  }

  static Optional<PrintStream> summaryTarget(RunSettings settings) {
    return settings.summary() ? Optional.of(System.err) : Optional.empty();
  }

  private void printDetached(RunningJob job, Duration deadline) {
    String id = job.applicationId().orElse(job.id());
    System.err.printf(
        "Job %s runs as %s, for %d minutes at most; 'anemone attach %s' waits for it.%n",
        options.getJobName(), id, deadline.toMinutes(), id);
  }
}
