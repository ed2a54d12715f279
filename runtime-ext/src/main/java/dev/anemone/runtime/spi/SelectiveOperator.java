// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.spi;

import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.KeyFilters;
import java.util.List;

/**
 * What an {@link Operator} is that can say, before any element comes, of which rows of a source
 * before it in its stage it has a use: its side inputs say so.
 */
public interface SelectiveOperator {

  /**
   * Filters for the readers of a source; called by the task's thread after {@link Operator#open}.
   * May wait for side inputs.
   *
   * @param wanted a filter of the source that names this operator's vertex
   * @param mostKeys as {@link KeyFilters#mostKeys()}
   * @return functions that the source's provider runs, see {@link SourceOperators#filters()}
   */
  List<FunctionSpec> filters(KeyFilters.KeyFilter wanted, int mostKeys) throws Exception;
}
