// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Lists in the text of an operator. */
final class RowText {

  private RowText() {}

  static <T> String joined(List<T> items, Function<? super T, String> text) {
    return items.stream().map(text).collect(Collectors.joining(", "));
  }
}
