// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A value of a row. An expression carries no type of its own: {@link ExpressionTyper} finds it from
 * the row's, or says why there is none. Null is unknown, as in SQL: an operation on null gives
 * null, {@code and}, {@code or} and {@code not} follow three-valued logic.
 */
public sealed interface Expression
    permits Literal,
        Expression.Column,
        Expression.Comparison,
        Expression.Arithmetic,
        Expression.And,
        Expression.Or,
        Expression.Not,
        Expression.Between,
        Expression.In,
        Expression.Like,
        Expression.IsNull,
        Expression.Case,
        Expression.DateAdd,
        Expression.DaysBetween,
        Expression.Extract,
        Expression.Cast,
        Expression.Call {

  /** Deepest nesting of an expression; a column or literal has depth 1. */
  int MAX_DEPTH = 64;

  /** A column of the row. */
  record Column(String name) implements Expression {
    public Column {
      Objects.requireNonNull(name, "name");
    }
  }

  /** Two values of the same type compared. Decimals may differ in precision and scale. */
  record Comparison(Relation relation, Expression left, Expression right) implements Expression {
    public Comparison {
      Objects.requireNonNull(relation, "relation");
      Objects.requireNonNull(left, "left");
      Objects.requireNonNull(right, "right");
    }

    /** How two values are compared. */
    public enum Relation {
      EQUAL("="),
      NOT_EQUAL("<>"),
      LESS("<"),
      LESS_OR_EQUAL("<="),
      GREATER(">"),
      GREATER_OR_EQUAL(">=");

      private final String symbol;

      Relation(String symbol) {
        this.symbol = symbol;
      }

      public String symbol() {
        return symbol;
      }
    }
  }

  /**
   * Two numbers of the same type combined. A result that does not fit into its type is an error,
   * and so is a division by zero of whole numbers.
   */
  record Arithmetic(Operator operator, Expression left, Expression right) implements Expression {
    public Arithmetic {
      Objects.requireNonNull(operator, "operator");
      Objects.requireNonNull(left, "left");
      Objects.requireNonNull(right, "right");
    }

    /** How two numbers are combined. */
    public enum Operator {
      ADD("+"),
      SUBTRACT("-"),
      MULTIPLY("*"),
      /** Whole numbers are cut towards zero; decimals have no exact quotient and are refused. */
      DIVIDE("/"),
      /** What a division of whole numbers leaves, with the sign of the left one. */
      REMAINDER("%");

      private final String symbol;

      Operator(String symbol) {
        this.symbol = symbol;
      }

      public String symbol() {
        return symbol;
      }
    }
  }

  /** True when all operands are, false when one is false. */
  record And(List<Expression> operands) implements Expression {
    public And {
      operands = atLeastTwo("and", operands);
    }
  }

  /** True when one operand is, false when all are false. */
  record Or(List<Expression> operands) implements Expression {
    public Or {
      operands = atLeastTwo("or", operands);
    }
  }

  /** True for false and false for true. */
  record Not(Expression operand) implements Expression {
    public Not {
      Objects.requireNonNull(operand, "operand");
    }
  }

  /** Whether {@code low <= value and value <= high}. */
  record Between(Expression value, Expression low, Expression high) implements Expression {
    public Between {
      Objects.requireNonNull(value, "value");
      Objects.requireNonNull(low, "low");
      Objects.requireNonNull(high, "high");
    }
  }

  /** Whether the value equals one of the literals, none of which is null. */
  record In(Expression value, List<Literal> literals) implements Expression {
    public In {
      Objects.requireNonNull(value, "value");
      literals = List.copyOf(literals);
      if (literals.isEmpty() || literals.stream().anyMatch(literal -> literal.value().isEmpty())) {
        throw new InvalidPlanException("an in needs one literal at least, and none may be null");
      }
    }
  }

  /**
   * Whether the text matches the pattern, in which {@code %} stands for any characters and {@code
   * _} for one code point.
   *
   * @param escape makes the following {@code %}, {@code _} or escape an ordinary character; itself
   *     a printable character of ASCII, no letter or digit
   */
  record Like(Expression value, String pattern, Optional<Character> escape) implements Expression {
    public Like {
      Objects.requireNonNull(value, "value");
      LikePatterns.check(pattern, escape);
    }
  }

  /** Whether the value is null; never null itself. */
  record IsNull(Expression value) implements Expression {
    public IsNull {
      Objects.requireNonNull(value, "value");
    }
  }

  /**
   * The result of the first branch whose condition is true.
   *
   * @param otherwise the value when no condition is true; null when absent
   */
  record Case(List<Branch> branches, Optional<Expression> otherwise) implements Expression {
    public Case {
      branches = List.copyOf(branches);
      Objects.requireNonNull(otherwise, "otherwise");
      if (branches.isEmpty()) {
        throw new InvalidPlanException("a case has no branch; one at least is needed");
      }
    }

    /** A condition and the value of the case when it is the first that is true. */
    public record Branch(Expression condition, Expression result) {
      public Branch {
        Objects.requireNonNull(condition, "condition");
        Objects.requireNonNull(result, "result");
      }
    }
  }

  /**
   * A date or timestamp moved by a fixed amount. Months and years keep the day of the month, or
   * take the last one of a shorter month.
   *
   * @param amount how many units, at most {@value #MAX_AMOUNT} either way
   * @param unit of a date {@code DAY}, {@code MONTH} or {@code YEAR}, of a timestamp any
   */
  record DateAdd(Expression value, int amount, Unit unit) implements Expression {

    /** Farthest move in units. */
    public static final int MAX_AMOUNT = 1_000_000;

    public DateAdd {
      Objects.requireNonNull(value, "value");
      Objects.requireNonNull(unit, "unit");
      if (amount < -MAX_AMOUNT || amount > MAX_AMOUNT) {
        throw new InvalidPlanException(
            "a date is moved by " + amount + " units; " + MAX_AMOUNT + " either way are allowed");
      }
    }

    /** What a date is moved by. */
    public enum Unit {
      SECOND,
      MINUTE,
      HOUR,
      DAY,
      MONTH,
      YEAR
    }
  }

  /** Days from one date to another, negative when the second is the earlier one; an int64. */
  record DaysBetween(Expression from, Expression to) implements Expression {
    public DaysBetween {
      Objects.requireNonNull(from, "from");
      Objects.requireNonNull(to, "to");
    }
  }

  /** A part of a date or timestamp as an int64. */
  record Extract(Part part, Expression value) implements Expression {
    public Extract {
      Objects.requireNonNull(part, "part");
      Objects.requireNonNull(value, "value");
    }

    /** What is taken out of a date. */
    public enum Part {
      YEAR,
      /** 1 to 12. */
      MONTH,
      /** Of the month, from 1. */
      DAY
    }
  }

  /**
   * The value as another type. Only what has one meaning everywhere is allowed, see {@link
   * ExpressionTyper}. Decimals that lose digits after the point are rounded half away from zero.
   */
  record Cast(Expression value, DataType type) implements Expression {
    public Cast {
      Objects.requireNonNull(value, "value");
      Objects.requireNonNull(type, "type");
    }
  }

  /** A function of values. */
  record Call(ScalarFunction function, List<Expression> arguments) implements Expression {
    public Call {
      Objects.requireNonNull(function, "function");
      arguments = List.copyOf(arguments);
    }

    /** A function of these values. */
    public static Call of(ScalarFunction function, Expression... arguments) {
      return new Call(function, List.of(arguments));
    }
  }

  /** The expressions that this one is made of, in order. */
  default List<Expression> children() {
    return ExpressionParts.of(this);
  }

  private static List<Expression> atLeastTwo(String what, List<Expression> operands) {
    List<Expression> copy = List.copyOf(operands);
    if (copy.size() < 2) {
      throw new InvalidPlanException(
          "an " + what + " has " + copy.size() + " operands; two at least are needed");
    }
    return copy;
  }
}
