// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.task;

import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.runtime.spi.RecordCombiner;
import dev.anemone.runtime.spi.TaskContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The combiners of the channels of a link, by their tags. A channel is combined only if everything
 * that enters under its tag can be.
 */
final class RecordCombiners {

  private final FunctionProviders providers;
  private final TaskContext context;
  private final Map<Integer, List<Optional<FunctionSpec>>> specs = new HashMap<>();

  RecordCombiners(FunctionProviders providers, TaskContext context) {
    this.providers = providers;
    this.context = context;
  }

  /**
   * Adds a channel, and the operator whose elements it carries, if these can be combined at all.
   */
  void add(int tag, Optional<FunctionSpec> operator) {
    specs.computeIfAbsent(tag, k -> new ArrayList<>()).add(operator);
  }

  /** The combiners by tag. */
  Map<Integer, RecordCombiner> byTag() throws Exception {
    Map<Integer, RecordCombiner> combiners = new HashMap<>();
    for (Map.Entry<Integer, List<Optional<FunctionSpec>>> entry : specs.entrySet()) {
      if (entry.getValue().stream().allMatch(Optional::isPresent)) {
        FunctionSpec spec = entry.getValue().get(0).orElseThrow();
        providers
            .of(spec)
            .recordCombiner(spec, context)
            .ifPresent(combiner -> combiners.put(entry.getKey(), combiner));
      }
    }
    return combiners;
  }
}
