// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What stands for a field that a line does not have. */
final class Absent {

  private Absent() {}

  static String text(String value) {
    return value == null ? "" : value;
  }

  static <T> List<T> list(List<T> value) {
    return value == null ? List.of() : List.copyOf(value);
  }

  static <T> Map<String, T> map(Map<String, T> value) {
    return value == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(value));
  }
}
