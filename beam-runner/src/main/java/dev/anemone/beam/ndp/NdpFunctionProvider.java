// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.beam.operator.step.JobOptions;
import dev.anemone.beam.options.DeployMode;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.PushdownCosts;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.ndp.decide.BegunSplits;
import dev.anemone.runtime.spi.ElementDecoder;
import dev.anemone.runtime.spi.ElementEncoder;
import dev.anemone.runtime.spi.FunctionProvider;
import dev.anemone.runtime.spi.Operator;
import dev.anemone.runtime.spi.RecordEncoder;
import dev.anemone.runtime.spi.SourceOperators;
import dev.anemone.runtime.spi.SourceReader;
import dev.anemone.runtime.spi.TaskContext;
import java.util.List;
import org.apache.beam.sdk.options.PipelineOptions;

/** Makes the sources and operators that the specs of {@link NdpUrns} describe. */
public final class NdpFunctionProvider implements FunctionProvider {

  /** In each JVM the proxies are asked who they are once for a job. */
  private static final String STORAGE_SIDE = "ndp-storage-side";

  private static final String ENGINE = "ndp-engine";

  private static final String BEGUN_SPLITS = "ndp-begun-splits ";

  @Override
  public boolean provides(String urn) {
    return urn.startsWith(NdpUrns.PREFIX) || urn.equals(RelationalFunctions.URN);
  }

  @Override
  public boolean absorbs(FunctionSpec source, FunctionSpec operator) {
    return source.urn().equals(NdpUrns.SOURCE) && operator.urn().equals(RelationalFunctions.URN);
  }

  @Override
  public SourceReader sourceReader(SourceVertex source, FunctionSpec part, TaskContext context)
      throws Exception {
    return sourceReader(source, part, SourceOperators.NONE, context);
  }

  @Override
  public SourceReader sourceReader(
      SourceVertex source, FunctionSpec part, SourceOperators operators, TaskContext context)
      throws Exception {
    NdpSpec spec = BeamSpecs.payload(source.source(), NdpSpec.class, context.classLoader());
    PipelineOptions options = JobOptions.of(context);
    StorageSide storage =
        context.shared(STORAGE_SIDE, () -> StorageSide.of(spec.access(), options));
    FileSplit split = BeamSpecs.payload(part, FileSplit.class, context.classLoader());
    BegunSplits<FileSplit> begun = context.shared(BEGUN_SPLITS + source.id(), BegunSplits::new);
    begun.begin(split, context.taskIndex());
    return new NdpReader(
        source,
        spec,
        split,
        relational(operators.filters()),
        relational(operators.pushed()),
        relational(operators.absorbed()),
        storage,
        operators
            .costs()
            .filter(costs -> !costs.operators().isEmpty())
            .map(costs -> nearData(costs, begun, spec, context))
            .orElse(PushdownChoice.ALL),
        context.shared(ENGINE, () -> SplitRun.engine(options, tasksAtOnce(options))),
        context);
  }

  /** How many tasks of a process run at the same time: in a container one. */
  private static int tasksAtOnce(PipelineOptions options) {
    NemoPipelineOptions nemo = options.as(NemoPipelineOptions.class);
    return DeployMode.of(nemo) == DeployMode.LOCAL ? Math.max(1, nemo.getSlots()) : 1;
  }

  private static PushdownChoice nearData(
      PushdownCosts costs, BegunSplits<FileSplit> begun, NdpSpec spec, TaskContext context) {
    BegunSplits.Source source =
        new BegunSplits.Source(
            costs.splits().count(), context.parallelism(), costs.compute().slots());
    int task = context.taskIndex();
    boolean isAllHere = spec.sharedProcessors() > 0;
    return new ModelledPushdown(
        costs, () -> isAllHere ? begun.leftOf(source) : begun.leftOf(source, task));
  }

  private static List<RelationalOperator> relational(List<FunctionSpec> specs) {
    return specs.stream()
        .map(spec -> RelationalFunctions.operatorOf(spec).orElseThrow(() -> unknown(spec)))
        .toList();
  }

  @Override
  public Operator operator(FunctionSpec spec, TaskContext context) {
    if (spec.urn().equals(NdpUrns.FORM)) {
      BatchForm<?> form = BeamSpecs.payload(spec, BatchForm.class, context.classLoader());
      return new FormOperator<>(form);
    }
    throw unknown(spec);
  }

  @Override
  public ElementEncoder encoder(FunctionSpec encoder, TaskContext context) {
    throw left(encoder);
  }

  @Override
  public ElementDecoder decoder(FunctionSpec decoder, TaskContext context) {
    throw left(decoder);
  }

  @Override
  public RecordEncoder recordEncoder(
      FunctionSpec keyExtractor,
      FunctionSpec keyEncoder,
      FunctionSpec encoder,
      TaskContext context) {
    throw left(encoder);
  }

  private static IllegalStateException left(FunctionSpec spec) {
    return new IllegalStateException(
        spec.urn()
            + ": batches of a read are handed on within its stage, but a pass has put its operators"
            + " into another one; leave out that pass");
  }

  private static IllegalStateException unknown(FunctionSpec spec) {
    return new IllegalStateException(
        spec.urn()
            + " runs in the reader of its source only; the vertex must follow the source, or"
            + " another that does, in the same stage");
  }
}
