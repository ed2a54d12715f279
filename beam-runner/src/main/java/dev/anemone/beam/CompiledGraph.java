// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import dev.anemone.beam.translation.Translation;
import dev.anemone.passes.OptimizationTrace;
import dev.anemone.passes.PassContext;
import dev.anemone.runtime.tez.client.TezEngine;
import java.util.List;

/**
 * A pipeline's graph after the passes, which nobody has run.
 *
 * @param settings those that it is to run with
 * @param translation what the passes got
 * @param context what they knew of the engine
 * @param trace what they made of it
 */
record CompiledGraph(
    RunSettings settings, Translation translation, PassContext context, OptimizationTrace trace) {

  /**
   * What there is to say of it.
   *
   * @param inRows why parts of the pipeline's queries are run in rows
   */
  Explanation explanation(List<String> inRows) {
    return new Explanation(
        trace
            .withNotes("Columns", inRows)
            .withNotes("Lowering", TezEngine.loweredStores(settings.engine(), trace.result())));
  }
}
