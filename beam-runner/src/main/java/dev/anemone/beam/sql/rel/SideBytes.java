// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

import java.util.Map;
import java.util.OptionalLong;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Join;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.hint.RelHint;

/**
 * How many bytes the sides of a join are estimated to have, which the join carries as a hint, so
 * that whoever runs it knows it, too.
 *
 * @param left empty where nobody knows
 * @param right the same
 */
public record SideBytes(OptionalLong left, OptionalLong right) {

  static final String HINT = "SIDE_BYTES";

  private static final String LEFT = "left";
  private static final String RIGHT = "right";

  /** Those of a join. */
  public static SideBytes of(Join join) {
    Map<String, String> options =
        join.getHints().stream()
            .filter(hint -> hint.hintName.equals(HINT))
            .findFirst()
            .<Map<String, String>>map(hint -> hint.kvOptions)
            .orElse(Map.of());
    return new SideBytes(bytes(options.get(LEFT)), bytes(options.get(RIGHT)));
  }

  private static OptionalLong bytes(String text) {
    return text == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
  }

  /** What a join with such sides carries. */
  public RelHint hint() {
    RelHint.Builder hint = RelHint.builder(HINT);
    left.ifPresent(bytes -> hint.hintOption(LEFT, Long.toString(bytes)));
    right.ifPresent(bytes -> hint.hintOption(RIGHT, Long.toString(bytes)));
    return hint.build();
  }
}
