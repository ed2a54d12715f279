// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.json;

import com.fasterxml.jackson.databind.JsonNode;
import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Expression.Arithmetic;
import dev.anemone.ir.relational.Expression.Case;
import dev.anemone.ir.relational.Expression.Comparison;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.ScalarFunction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Expressions from JSON, as {@link ExpressionWriter} writes them. */
final class ExpressionReader {

  private static final Map<String, Comparison.Relation> COMPARISONS = new HashMap<>();
  private static final Map<String, Arithmetic.Operator> ARITHMETIC = new HashMap<>();

  static {
    for (Comparison.Relation relation : Comparison.Relation.values()) {
      COMPARISONS.put(relation.symbol(), relation);
    }
    for (Arithmetic.Operator operator : Arithmetic.Operator.values()) {
      ARITHMETIC.put(operator.symbol(), operator);
    }
  }

  private ExpressionReader() {}

  static Expression expression(JsonNode node) {
    return expression(node, 1);
  }

  private static Expression expression(JsonNode node, int depth) {
    if (depth > Expression.MAX_DEPTH) {
      throw new InvalidPlanException(
          "an expression is nested deeper than " + Expression.MAX_DEPTH + " levels");
    }
    String kind =
        JsonItems.text(JsonItems.array(node, "an expression").path(0), "the kind of expression");
    if (COMPARISONS.containsKey(kind)) {
      List<Expression> operands = operands(node, 2, depth);
      return new Comparison(COMPARISONS.get(kind), operands.get(0), operands.get(1));
    }
    if (ARITHMETIC.containsKey(kind)) {
      List<Expression> operands = operands(node, 2, depth);
      return new Arithmetic(ARITHMETIC.get(kind), operands.get(0), operands.get(1));
    }
    return switch (kind) {
      case "column" ->
          new Expression.Column(
              JsonItems.text(
                  JsonItems.array(node, 2, "[\"column\", name]").get(1), "the name of a column"));
      case "literal" -> literal(node);
      case "and" -> new Expression.And(operands(node, depth));
      case "or" -> new Expression.Or(operands(node, depth));
      case "not" -> new Expression.Not(operands(node, 1, depth).get(0));
      case "between" -> {
        List<Expression> operands = operands(node, 3, depth);
        yield new Expression.Between(operands.get(0), operands.get(1), operands.get(2));
      }
      case "in" -> in(node, depth);
      case "like" -> like(node, depth);
      case "is_null" -> new Expression.IsNull(operands(node, 1, depth).get(0));
      case "case" -> choice(operands(node, depth));
      case "date_add" -> {
        JsonItems.array(node, 4, "[\"date_add\", value, amount, unit]");
        yield new Expression.DateAdd(
            expression(node.get(1), depth + 1),
            JsonItems.integer(node.get(2), "the amount of a date_add"),
            JsonItems.constant(
                node.get(3), Expression.DateAdd.Unit.values(), "the unit of a date_add"));
      }
      case "days_between" -> {
        List<Expression> operands = operands(node, 2, depth);
        yield new Expression.DaysBetween(operands.get(0), operands.get(1));
      }
      case "extract" -> {
        JsonItems.array(node, 3, "[\"extract\", part, value]");
        yield new Expression.Extract(
            JsonItems.constant(
                node.get(1), Expression.Extract.Part.values(), "the part of an extract"),
            expression(node.get(2), depth + 1));
      }
      case "cast" -> {
        JsonItems.array(node, 3, "[\"cast\", value, type]");
        yield new Expression.Cast(
            expression(node.get(1), depth + 1),
            DataType.parse(JsonItems.text(node.get(2), "the type of a cast")));
      }
      case "call" -> {
        ScalarFunction function =
            JsonItems.constant(node.path(1), ScalarFunction.values(), "the function of a call");
        List<Expression> arguments = new ArrayList<>();
        for (int i = 2; i < node.size(); i++) {
          arguments.add(expression(node.get(i), depth + 1));
        }
        yield new Expression.Call(function, arguments);
      }
      default ->
          throw new InvalidPlanException(
              "there is no expression " + JsonItems.shown(node.get(0)) + "; see PlanJson");
    };
  }

  private static Literal literal(JsonNode node) {
    JsonItems.array(node, 3, "[\"literal\", type, value]");
    DataType type = DataType.parse(JsonItems.text(node.get(1), "the type of a literal"));
    return node.get(2).isNull()
        ? Literal.nullOf(type)
        : Literal.parse(type, JsonItems.text(node.get(2), "the value of a literal"));
  }

  private static Expression in(JsonNode node, int depth) {
    List<Expression> operands = operands(node, depth);
    if (operands.isEmpty()) {
      throw new InvalidPlanException("an in has no value; [\"in\", value, literal...] is needed");
    }
    List<Literal> literals = new ArrayList<>();
    for (Expression operand : operands.subList(1, operands.size())) {
      if (!(operand instanceof Literal literal)) {
        throw new InvalidPlanException("an in looks among other expressions than literals");
      }
      literals.add(literal);
    }
    return new Expression.In(operands.get(0), literals);
  }

  private static Expression like(JsonNode node, int depth) {
    if (node.size() != 4) {
      JsonItems.array(node, 3, "[\"like\", value, pattern] or [\"like\", value, pattern, escape]");
    }
    Optional<Character> escape = Optional.empty();
    if (node.size() == 4) {
      String text = JsonItems.text(node.get(3), "the escape of a like");
      if (text.length() != 1) {
        throw new InvalidPlanException("the escape of a like should be one character: " + text);
      }
      escape = Optional.of(text.charAt(0));
    }
    return new Expression.Like(
        expression(node.get(1), depth + 1),
        JsonItems.text(node.get(2), "the pattern of a like"),
        escape);
  }

  private static Expression choice(List<Expression> operands) {
    List<Case.Branch> branches = new ArrayList<>();
    for (int i = 0; i + 1 < operands.size(); i += 2) {
      branches.add(new Case.Branch(operands.get(i), operands.get(i + 1)));
    }
    return new Case(
        branches,
        operands.size() % 2 == 0
            ? Optional.empty()
            : Optional.of(operands.get(operands.size() - 1)));
  }

  private static List<Expression> operands(JsonNode node, int count, int depth) {
    return operands(JsonItems.array(node, count + 1, "an expression " + node.get(0)), depth);
  }

  private static List<Expression> operands(JsonNode node, int depth) {
    List<Expression> operands = new ArrayList<>();
    for (int i = 1; i < node.size(); i++) {
      operands.add(expression(node.get(i), depth + 1));
    }
    return operands;
  }
}
