// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.function.OperatorTrait;
import dev.anemone.ir.property.NativeMemory;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.json.RelationalFunctions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.beam.sdk.options.PipelineOptions;

/** The vertices of a read, in a chain: source, relational operators, elements. */
public final class NdpVertices {

  private final String stepName;
  private final PipelineOptions options;

  /** Of the step with this full name. */
  public NdpVertices(String stepName, PipelineOptions options) {
    this.stepName = stepName;
    this.options = options;
  }

  /** The coder of the edges between them, which nothing goes over as bytes. */
  public static FunctionSpec batchCoder() {
    return FunctionSpec.of(NdpUrns.BATCH);
  }

  /**
   * The vertices of a read that was applied.
   *
   * @param ids gives each vertex its id
   */
  List<IRVertex> of(NdpRead<?> read, Supplier<String> ids) {
    List<IRVertex> chain = new ArrayList<>();
    chain.add(
        SourceVertex.of(
                ids.get(),
                stepName,
                BeamSpecs.toStepSpec(NdpUrns.SOURCE, stepName, read.source(options)),
                read.splits().stream().map(NdpVertices::part).toList())
            .withProperties(
                ExecutionProperties.of(
                    new NativeMemory(NdpEngineMemory.of(options).nativeBytes()))));
    for (RelationalOperator operator : read.plan().operators()) {
      chain.add(
          OperatorVertex.of(
                  ids.get(),
                  stepName + "/" + operator.getClass().getSimpleName(),
                  RelationalFunctions.specOf(operator))
              .withTraits(Set.of(OperatorTrait.PUSHABLE, OperatorTrait.PURE)));
    }
    chain.add(form(read.form(), ids));
    return chain;
  }

  /** The vertex that makes elements of batches. */
  public IRVertex form(BatchForm<?> form, Supplier<String> ids) {
    OperatorVertex vertex =
        OperatorVertex.of(
                ids.get(),
                stepName + "/Rows",
                form.function().orElseGet(() -> BeamSpecs.toStepSpec(NdpUrns.FORM, stepName, form)))
            .withTraits(Set.of(OperatorTrait.PURE));
    return form.nativeBytes() == 0
        ? vertex
        : vertex.withProperties(ExecutionProperties.of(new NativeMemory(form.nativeBytes())));
  }

  private static SourcePart part(FileSplit split) {
    return new SourcePart(
        BeamSpecs.toFunctionSpec(NdpUrns.SOURCE, split), split.length(), split.hosts());
  }
}
