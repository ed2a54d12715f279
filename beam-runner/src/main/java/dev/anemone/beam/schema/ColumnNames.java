// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.schema;

import java.util.HashSet;
import java.util.Set;

/** Names of columns, each given once, like those of the fields that they are for. */
final class ColumnNames {

  private static final int MOST_LENGTH = 60;

  private final Set<String> given = new HashSet<>();

  String fresh(String field) {
    String plain = field.replaceAll("[^A-Za-z0-9_]", "_");
    String base =
        plain.isEmpty() ? "field" : plain.substring(0, Math.min(plain.length(), MOST_LENGTH));
    String name = base;
    for (int i = 2; !given.add(name); i++) {
      name = base + "_" + i;
    }
    return name;
  }
}
