// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.process;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

public final class Arguments {
  private Arguments() {}

  /** The texts of all parts, one after the other; of a collection those of its elements. */
  public static List<String> of(Object... parts) {
    return Arrays.stream(parts)
        .flatMap(part -> part instanceof Collection<?> all ? all.stream() : Stream.of(part))
        .map(String::valueOf)
        .toList();
  }
}
