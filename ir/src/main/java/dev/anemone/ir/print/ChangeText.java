// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.print;

import dev.anemone.ir.print.DagDiff.AttributeChange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Attributes as {@code name=value}: {@code Parallelism=1->4} when replaced, {@code +Parallelism=4}
 * when set, {@code -Parallelism=1} when taken away.
 */
final class ChangeText {

  private ChangeText() {}

  /** All attributes, and those that were taken away. */
  static List<String> list(
      Map<String, Object> attributes, List<AttributeChange> changes, boolean withLost) {
    Map<String, AttributeChange> changed = new LinkedHashMap<>();
    changes.forEach(change -> changed.put(change.attribute(), change));
    List<String> texts = new ArrayList<>();
    attributes.forEach(
        (name, value) -> {
          AttributeChange change = changed.get(name);
          texts.add(change == null ? name + "=" + ShortForm.of(value) : of(change));
        });
    if (withLost) {
      changes.stream()
          .filter(change -> change.after().isEmpty())
          .forEach(change -> texts.add(of(change)));
    }
    return texts;
  }

  /** One change. */
  static String of(AttributeChange change) {
    if (change.before().isEmpty()) {
      return "+" + change.attribute() + "=" + change.after().orElseThrow();
    }
    return change
        .after()
        .map(after -> change.attribute() + "=" + change.before().get() + "->" + after)
        .orElseGet(() -> "-" + change.attribute() + "=" + change.before().get());
  }
}
