// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * A scan and what is done to its rows, one operator after the other. A plan that exists is well
 * typed.
 *
 * @param scan the columns of the table that are read, by name
 * @param operators what is done to them, in order
 */
public record RelationalPlan(RowType scan, List<RelationalOperator> operators) {

  /** Most operators of a plan. */
  public static final int MAX_OPERATORS = 64;

  public RelationalPlan {
    Objects.requireNonNull(scan, "scan");
    operators = List.copyOf(operators);
    if (operators.size() > MAX_OPERATORS) {
      throw new InvalidPlanException(
          "a plan has " + operators.size() + " operators; " + MAX_OPERATORS + " are allowed");
    }
    rowTypes(scan, operators);
  }

  /** A plan of these operators. */
  public static RelationalPlan of(RowType scan, RelationalOperator... operators) {
    return new RelationalPlan(scan, List.of(operators));
  }

  /** The rows that come out. */
  public RowType output() {
    List<RowType> types = rowTypes();
    return types.get(types.size() - 1);
  }

  /** The rows of the scan, and of each operator in order. */
  public List<RowType> rowTypes() {
    return rowTypes(scan, operators);
  }

  /**
   * The plan with one more operator.
   *
   * @throws InvalidPlanException when the operator has no meaning for this plan's rows
   */
  public RelationalPlan then(RelationalOperator operator) {
    List<RelationalOperator> longer = new ArrayList<>(operators);
    longer.add(operator);
    return new RelationalPlan(scan, longer);
  }

  /** The plan for people: a line for the scan and for each operator. */
  public String text() {
    StringBuilder text =
        new StringBuilder("scan ").append(RowText.joined(scan.fields(), Field::toString));
    for (RelationalOperator operator : operators) {
      text.append('\n').append(operator.text());
    }
    return text.toString();
  }

  private static List<RowType> rowTypes(RowType scan, List<RelationalOperator> operators) {
    List<RowType> types = new ArrayList<>();
    types.add(scan);
    RowType row = scan;
    for (int i = 0; i < operators.size(); i++) {
      RelationalOperator operator = operators.get(i);
      try {
        row = operator.outputOf(row);
      } catch (InvalidPlanException e) {
        throw new InvalidPlanException(
            "operator "
                + (i + 1)
                + " ("
                + operator.getClass().getSimpleName().toLowerCase(Locale.ROOT)
                + "): "
                + e.getMessage(),
            e);
      }
      types.add(row);
    }
    return List.copyOf(types);
  }
}
