package dev.anemone.beam;

import dev.anemone.beam.spec.JobPayload;
import dev.anemone.beam.translation.PipelineTranslator;
import dev.anemone.beam.translation.Translation;
import dev.anemone.passes.OptimizationTrace;
import dev.anemone.passes.policy.Optimizer;
import dev.anemone.passes.policy.Policy;
import dev.anemone.passes.policy.PolicyRegistry;
import dev.anemone.runtime.engine.Engine;
import dev.anemone.runtime.engine.Job;
import dev.anemone.runtime.tez.TezEngine;
import java.util.Optional;
import org.apache.beam.runners.core.metrics.MetricsPusher;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.PipelineRunner;
import org.apache.beam.sdk.metrics.MetricsEnvironment;
import org.apache.beam.sdk.metrics.MetricsOptions;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.util.common.ReflectHelpers;

/**
 * Runs bounded Beam pipelines: translates them to the IR, optimizes that with a policy, and runs it
 * on Apache Tez. See {@link NemoPipelineOptions} for what can be set.
 *
 * <p>{@link #run} returns when the job has been submitted. A {@code TestPipeline} is waited for, as
 * it looks at the result at once.
 */
public final class NemoRunner extends PipelineRunner<PipelineResult> {

  private final PipelineOptions options;
  private final RunSettings settings;

  private NemoRunner(PipelineOptions options, RunSettings settings) {
    this.options = options;
    this.settings = settings;
  }

  /**
   * Beam calls this.
   *
   * @throws InvalidPipelineException when an option has a bad value; names it
   */
  public static NemoRunner fromOptions(PipelineOptions options) {
    return new NemoRunner(options, RunSettings.of(options));
  }

  /**
   * Compiles the pipeline and starts it. The pipeline's transforms may be replaced by others that
   * do the same.
   *
   * @throws IllegalArgumentException when the pipeline cannot run, before anything has run; names
   *     the step or option, and what would be right
   */
  @Override
  public PipelineResult run(Pipeline pipeline) {
    // Without this, tests do not count on metrics, and user code does not count them.
    MetricsEnvironment.setMetricsSupported(true);
    ClassLoader classLoader = ReflectHelpers.findClassLoader();
    Policy policy = policy(classLoader);
    PipelineCheck.check(pipeline);
    Translation translation =
        PipelineTranslator.translate(pipeline, options, settings.engine().slots());
    OptimizationTrace trace =
        Optimizer.standard().optimize(policy, translation.dag(), settings.passContext());
    Explanation explanation = new Explanation(trace);
    settings.dagDirectory().ifPresent(explanation::write);
    explanation.print(settings.explain(), System.out);
    if (settings.explainOnly()) {
      return new ExplainedPipelineResult();
    }
    Engine engine = TezEngine.local(settings.engine());
    NemoPipelineResult result =
        new NemoPipelineResult(
            engine.submit(
                new Job(
                    options.getJobName(),
                    trace.result(),
                    trace.runTimePasses(),
                    settings.passContext(),
                    JobPayload.of(options).toBytes(),
                    classLoader)),
            translation.metrics(),
            settings.summary() ? Optional.of(System.err) : Optional.empty());
    new MetricsPusher(translation.metrics(), options.as(MetricsOptions.class), result).start();
    TestPipelines.awaitIfTest(pipeline, options, result);
    return result;
  }

  private Policy policy(ClassLoader classLoader) {
    PolicyRegistry registry = PolicyRegistry.of(classLoader);
    return settings.passes().isEmpty()
        ? registry.policy(settings.policy())
        : registry.adHoc(String.join(",", settings.passes()));
  }
}
