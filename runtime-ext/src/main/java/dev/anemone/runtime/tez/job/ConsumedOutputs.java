// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import java.util.List;

/**
 * All that is not needed any more of what the stages of a job wrote. To hear of it twice does no
 * harm.
 */
public record ConsumedOutputs(List<ConsumedOutput> outputs) {

  public ConsumedOutputs {
    outputs = List.copyOf(outputs);
  }
}
