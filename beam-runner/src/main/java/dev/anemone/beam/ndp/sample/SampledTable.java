// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp.sample;

import dev.anemone.beam.ndp.FileSplit;
import dev.anemone.beam.ndp.NdpSpec;
import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PushdownAdvisor.Candidate;
import java.util.Comparator;
import java.util.List;

/**
 * A table that may have operators pushed.
 *
 * @param candidate the source and the operators, as passes know them
 * @param spec of the source
 * @param split the largest one, which stands for all
 */
record SampledTable(Candidate candidate, NdpSpec spec, FileSplit split) {

  static SampledTable of(Candidate candidate, ClassLoader classLoader) {
    SourceVertex source = candidate.source();
    SourcePart largest =
        source.parts().stream().max(Comparator.comparingLong(SourcePart::sizeBytes)).orElseThrow();
    return new SampledTable(
        candidate,
        BeamSpecs.payload(source.source(), NdpSpec.class, classLoader),
        BeamSpecs.payload(largest.spec(), FileSplit.class, classLoader));
  }

  String id() {
    return candidate.source().id();
  }

  long bytes() {
    return candidate.source().sizeBytes();
  }

  int splits() {
    return candidate.source().parts().size();
  }

  List<RelationalOperator> operators() {
    return candidate.operators().stream()
        .map(vertex -> RelationalFunctions.operatorOf(vertex.operator()).orElseThrow())
        .toList();
  }

  /** On YARN a task has a core of its own; here they share those of this machine. */
  int computeCores(PassContext context) {
    return spec.sharedProcessors() == 0
        ? context.slots()
        : Math.min(context.slots(), spec.sharedProcessors());
  }
}
