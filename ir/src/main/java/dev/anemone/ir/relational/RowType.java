// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The columns of a row, in order.
 *
 * @param fields at least one, with different names
 */
public record RowType(List<Field> fields) {

  /** Most columns of a row. */
  public static final int MAX_FIELDS = 2000;

  public RowType {
    fields = List.copyOf(fields);
    if (fields.isEmpty() || fields.size() > MAX_FIELDS) {
      throw new InvalidPlanException(
          "a row has " + fields.size() + " columns; 1 to " + MAX_FIELDS + " are allowed");
    }
    Set<String> names = new HashSet<>();
    for (Field field : fields) {
      if (!names.add(field.name())) {
        throw new InvalidPlanException(
            "a row has two columns " + Texts.name(field.name()) + "; names must differ");
      }
    }
  }

  /** The row of these columns. */
  public static RowType of(Field... fields) {
    return new RowType(List.of(fields));
  }

  /** The position of a column from 0, empty when there is none of that name. */
  public Optional<Integer> indexOf(String name) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).name().equals(name)) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }

  /**
   * The column of a name.
   *
   * @throws InvalidPlanException when there is none
   */
  public Field field(String name) {
    return fields.get(
        indexOf(name)
            .orElseThrow(
                () ->
                    new InvalidPlanException(
                        "there is no column "
                            + Texts.name(name)
                            + "; there are "
                            + Texts.shortened(names()))));
  }

  private String names() {
    return fields.stream().map(field -> Texts.name(field.name())).collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return fields.stream().map(Field::toString).collect(Collectors.joining(", ", "(", ")"));
  }
}
