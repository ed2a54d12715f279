// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.task;

import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.KeyFilters;
import dev.anemone.runtime.spi.Operator;
import dev.anemone.runtime.spi.SelectiveOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What operators of a stage say of the rows of its sources that they have a use for. */
final class SourceFilters {

  private SourceFilters() {}

  /**
   * The filters of a source. An operator that is in another stage, or cannot say it, has none.
   *
   * @param operators of the stage, by the id of their vertex, open
   */
  static List<FunctionSpec> of(SourceVertex source, Map<String, Operator> operators)
      throws Exception {
    Optional<KeyFilters> keys = source.property(KeyFilters.class);
    List<FunctionSpec> filters = new ArrayList<>();
    if (keys.isPresent()) {
      for (KeyFilters.KeyFilter filter : keys.get().filters()) {
        if (operators.get(filter.reader()) instanceof SelectiveOperator selective) {
          filters.addAll(selective.filters(filter, keys.get().mostKeys()));
        }
      }
    }
    return filters;
  }
}
