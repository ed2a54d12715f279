// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Expressions as text for people: close to SQL, with all parentheses, in one line. Equal
 * expressions have equal texts, and different ones different texts.
 */
public final class ExpressionText {

  private ExpressionText() {}

  /** The text of an expression. */
  public static String of(Expression expression) {
    if (expression instanceof Expression.Column column) {
      return Texts.name(column.name());
    } else if (expression instanceof Literal literal) {
      return ofLiteral(literal);
    } else if (expression instanceof Expression.Comparison comparison) {
      return infix(comparison.left(), comparison.relation().symbol(), comparison.right());
    } else if (expression instanceof Expression.Arithmetic arithmetic) {
      return infix(arithmetic.left(), arithmetic.operator().symbol(), arithmetic.right());
    } else if (expression instanceof Expression.And and) {
      return joined(and.operands(), " and ");
    } else if (expression instanceof Expression.Or or) {
      return joined(or.operands(), " or ");
    } else if (expression instanceof Expression.Not not) {
      return "(not " + of(not.operand()) + ")";
    } else if (expression instanceof Expression.Between between) {
      return "("
          + of(between.value())
          + " between "
          + of(between.low())
          + " and "
          + of(between.high())
          + ")";
    } else if (expression instanceof Expression.In in) {
      return "(" + of(in.value()) + " in " + joined(in.literals(), ", ") + ")";
    } else if (expression instanceof Expression.Like like) {
      return "("
          + of(like.value())
          + " like "
          + Texts.quoted(like.pattern())
          + like.escape().map(c -> " escape " + Texts.quoted(String.valueOf(c))).orElse("")
          + ")";
    } else if (expression instanceof Expression.IsNull isNull) {
      return "(" + of(isNull.value()) + " is null)";
    } else if (expression instanceof Expression.Case choice) {
      return ofCase(choice);
    } else if (expression instanceof Expression.DateAdd add) {
      return "date_add(" + of(add.value()) + ", " + add.amount() + " " + lower(add.unit()) + ")";
    } else if (expression instanceof Expression.DaysBetween days) {
      return "days_between(" + of(days.from()) + ", " + of(days.to()) + ")";
    } else if (expression instanceof Expression.Extract extract) {
      return lower(extract.part()) + "(" + of(extract.value()) + ")";
    } else if (expression instanceof Expression.Cast cast) {
      return "cast(" + of(cast.value()) + " as " + cast.type() + ")";
    } else if (expression instanceof Expression.Call call) {
      return call.function().text() + joined(call.arguments(), ", ");
    }
    throw new IllegalStateException("no text of a " + expression.getClass().getSimpleName());
  }

  private static String ofLiteral(Literal literal) {
    if (literal.value().isEmpty()) {
      return "cast(null as " + literal.type() + ")";
    }
    if (literal.type() instanceof DecimalType) {
      return literal.valueText() + ":" + literal.type();
    }
    return switch ((SimpleType) literal.type()) {
      case BOOLEAN, INT32, DOUBLE -> literal.valueText();
      case INT64 -> literal.valueText() + "L";
      case STRING -> Texts.quoted(literal.valueText());
      case DATE, TIMESTAMP -> literal.type() + " " + Texts.quoted(literal.valueText());
    };
  }

  private static String ofCase(Expression.Case choice) {
    StringBuilder text = new StringBuilder("case");
    for (Expression.Case.Branch branch : choice.branches()) {
      text.append(" when ").append(of(branch.condition()));
      text.append(" then ").append(of(branch.result()));
    }
    choice.otherwise().ifPresent(otherwise -> text.append(" else ").append(of(otherwise)));
    return text.append(" end").toString();
  }

  private static String infix(Expression left, String symbol, Expression right) {
    return "(" + of(left) + " " + symbol + " " + of(right) + ")";
  }

  private static String joined(List<? extends Expression> operands, String separator) {
    return operands.stream()
        .map(ExpressionText::of)
        .collect(Collectors.joining(separator, "(", ")"));
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
