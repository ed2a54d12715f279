// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.fnapi;

import dev.anemone.beam.NemoRunner;
import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.experiment.Runs;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.portability.stage.StageFunctionProvider;
import dev.anemone.portability.stage.StageSpec;
import dev.anemone.portability.translation.JavaPipelines;
import dev.anemone.runtime.spi.ElementOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.beam.runners.fnexecution.control.BundleProgressHandler;
import org.apache.beam.runners.fnexecution.control.DefaultJobBundleFactory;
import org.apache.beam.runners.fnexecution.control.JobBundleFactory;
import org.apache.beam.runners.fnexecution.control.OutputReceiverFactory;
import org.apache.beam.runners.fnexecution.control.RemoteBundle;
import org.apache.beam.runners.fnexecution.control.StageBundleFactory;
import org.apache.beam.runners.fnexecution.state.StateRequestHandler;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.fn.data.FnDataReceiver;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Reshuffle;
import org.apache.beam.sdk.util.construction.graph.ExecutableStage;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evaluation/run fn-api}: an element's way to a harness and back, beside Beam's own. */
@Command(name = "fn-api")
public final class FnApiMeasurement extends ExperimentCommand {
  private static final String STEP = "measured";
  private static final long TASK_MEMORY = 256L << 20;
  private static final int DISTINCT = 1000;
  private static final double GOAL = 1.1;

  @Option(names = "--elements", description = "Pairs that go to the harness in one bundle.")
  private int elements = 1_000_000;

  @Option(names = "--warm-up", description = "Rounds that do not count.")
  private int warmUp = 5;

  @Mixin private Runs runs = new Runs(15);

  record Figures(int elements, List<Double> beamNanoseconds, List<Double> anemoneNanoseconds) {}

  /** Hands on what it gets. */
  static final class HandOn extends DoFn<KV<String, Long>, KV<String, Long>> {
    @ProcessElement
    public void process(@Element KV<String, Long> pair, OutputReceiver<KV<String, Long>> output) {
      output.output(pair);
    }
  }

  /** Takes a bundle of elements to the harness and back. */
  private interface Side {
    void run(List<WindowedValue<KV<String, Long>>> bundle) throws Exception;
  }

  @Override
  protected void check() {
    require("--elements", elements, elements >= 1, "there must be an element");
    require("--warm-up", warmUp, warmUp >= 0, "give 0 or more");
  }

  @Override
  protected boolean measure() throws Exception {
    FunctionSpec operator = operator();
    StageSpec spec = BeamSpecs.payload(operator, StageSpec.class, getClass().getClassLoader());
    List<WindowedValue<KV<String, Long>>> bundle = new ArrayList<>();
    for (int i = 0; i < elements; i++) {
      bundle.add(WindowedValues.valueInGlobalWindow(KV.of("word" + i % DISTINCT, (long) i)));
    }
    AtomicLong returned = new AtomicLong();
    List<Double> beam = new ArrayList<>();
    List<Double> anemone = new ArrayList<>();
    try (JobBundleFactory factory = DefaultJobBundleFactory.create(spec.job());
        StageBundleFactory stage = factory.forStage(ExecutableStage.fromPayload(spec.payload()));
        LoneTask task =
            LoneTask.of(directory(), TASK_MEMORY, element -> returned.incrementAndGet())) {
      for (int round = 1 - warmUp; round <= runs.count(); round++) {
        double alone = nanoseconds(pairs -> alone(stage, pairs, returned), bundle, returned);
        double operated = nanoseconds(pairs -> operated(operator, task, pairs), bundle, returned);
        progress("round %d: Beam alone %.0f ns, stage %.0f ns an element", round, alone, operated);
        if (round > 0) {
          beam.add(alone);
          anemone.add(operated);
        }
      }
    }
    Summary ofBeam = Summary.of(beam);
    Summary ofAnemone = Summary.of(anemone);
    double ratio = ofAnemone.median() / ofBeam.median();
    publish(
        new Figures(elements, beam, anemone),
        text("%,d pairs to an embedded harness of Java and back, a bundle each time", elements),
        new MarkdownTable("way; runs; median ns|%.0f; min ns|%.0f; max ns|%.0f; of Beam's|%.2f")
            .row("DefaultJobBundleFactory alone", beam.size(), ofBeam, 1.0)
            .row("stage of NemoRunner", anemone.size(), ofAnemone, ratio),
        text("At most %.1f of Beam's: %s.", GOAL, ratio <= GOAL ? "holds" : "does not hold"));
    return true;
  }

  /** The operator of a stage with one step, between shuffles. */
  private static FunctionSpec operator() {
    PipelineOptions options = PipelineOptionsFactory.create();
    options.setRunner(NemoRunner.class);
    Pipeline pipeline = Pipeline.create(options);
    pipeline
        .apply(Create.of(KV.of("text", 1L)))
        .apply("before", Reshuffle.of())
        .apply(STEP, ParDo.of(new HandOn()))
        .apply("after", Reshuffle.of());
    return new JavaPipelines()
        .translate(pipeline, options).dag().vertices().stream()
            .filter(OperatorVertex.class::isInstance)
            .map(OperatorVertex.class::cast)
            .filter(vertex -> vertex.operator().urn().equals(StageSpec.STAGE))
            .filter(vertex -> vertex.name().contains(STEP))
            .findFirst()
            .orElseThrow()
            .operator();
  }

  private double nanoseconds(
      Side side, List<WindowedValue<KV<String, Long>>> bundle, AtomicLong returned)
      throws Exception {
    returned.set(0);
    long start = System.nanoTime();
    side.run(bundle);
    double nanoseconds = (double) (System.nanoTime() - start) / elements;
    if (returned.get() != elements) {
      throw new ExperimentFailure(
          "Of %d elements %d came back from the harness.", elements, returned.get());
    }
    return nanoseconds;
  }

  @SuppressWarnings("unchecked") // the stage takes pairs
  private static void alone(
      StageBundleFactory stage, List<WindowedValue<KV<String, Long>>> bundle, AtomicLong returned)
      throws Exception {
    OutputReceiverFactory receivers =
        new OutputReceiverFactory() {
          @Override
          public <T> FnDataReceiver<T> create(String collection) {
            return element -> returned.incrementAndGet();
          }
        };
    try (RemoteBundle running =
        stage.getBundle(
            receivers, StateRequestHandler.unsupported(), BundleProgressHandler.ignored())) {
      FnDataReceiver<WindowedValue<?>> input =
          (FnDataReceiver<WindowedValue<?>>)
              (FnDataReceiver<?>) running.getInputReceivers().values().iterator().next();
      for (WindowedValue<KV<String, Long>> pair : bundle) {
        input.accept(pair);
      }
    }
  }

  private static void operated(
      FunctionSpec spec, LoneTask task, List<WindowedValue<KV<String, Long>>> bundle)
      throws Exception {
    ElementOperator operator = (ElementOperator) new StageFunctionProvider().operator(spec, task);
    try {
      operator.open(task);
      for (WindowedValue<KV<String, Long>> pair : bundle) {
        operator.accept(pair);
      }
      operator.finish();
    } finally {
      operator.close();
    }
  }
}
