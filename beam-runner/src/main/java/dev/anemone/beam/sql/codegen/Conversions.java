// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexLiteral;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeName;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.DateString;

/** Translates literals and casts, and applies operations that are NULL when an operand is. */
final class Conversions {
  static final long MILLIS_PER_DAY = 86_400_000;

  private final RelDataTypeFactory types;
  private final JavaBlock block;

  Conversions(RelDataTypeFactory types, JavaBlock block) {
    this.types = types;
    this.block = block;
  }

  static boolean isDateTime(RelDataType type) {
    return SqlTypeName.DATETIME_TYPES.contains(type.getSqlTypeName());
  }

  static boolean isInterval(RelDataType type) {
    return SqlTypeName.INTERVAL_TYPES.contains(type.getSqlTypeName());
  }

  /**
   * A term that is NULL where an operand is, and {@code value} elsewhere.
   *
   * @param value Java that is evaluated only where no operand is NULL
   */
  Term strict(JavaType type, String value, Term... operands) {
    List<String> nullable =
        Arrays.stream(operands).filter(Term::isNullable).map(Term::isNull).distinct().toList();
    if (nullable.isEmpty()) {
      return Term.notNull(type, block.variable(type.keyword(), value));
    }
    if (nullable.contains(Term.ALWAYS)) {
      return Term.nothing(type);
    }
    String isNull =
        block.variable("boolean", nullable.stream().collect(Collectors.joining(" || ")));
    return Term.of(
        type,
        block.variable(type.keyword(), isNull + " ? " + type.nullValue() + " : " + value),
        isNull);
  }

  /** A literal. */
  Term literal(RexLiteral literal) throws UntranslatableException {
    JavaType type =
        literal.getType().getSqlTypeName() == SqlTypeName.NULL
            ? JavaType.STRING
            : JavaType.of(literal.getType());
    if (literal.isNull()) {
      return Term.nothing(type);
    }
    return switch (type) {
      case BOOLEAN -> Term.notNull(type, String.valueOf(RexLiteral.booleanValue(literal)));
      case INT ->
          literal.getType().getSqlTypeName() == SqlTypeName.DATE
              ? date(literal.getValueAs(Integer.class))
              : number(type, literal.getValueAs(BigDecimal.class));
      case LONG ->
          literal.getType().getSqlTypeName() == SqlTypeName.TIMESTAMP
              ? Term.notNull(type, literal.getValueAs(Long.class) + "L")
              : number(type, literal.getValueAs(BigDecimal.class));
      case DOUBLE, DECIMAL -> number(type, literal.getValueAs(BigDecimal.class));
      case STRING -> Term.notNull(type, JavaLiterals.text(literal.getValueAs(String.class)));
    };
  }

  /** A number that is known now. */
  Term number(JavaType type, BigDecimal value) throws UntranslatableException {
    String java =
        switch (type) {
          case INT -> String.valueOf(value.intValueExact());
          case LONG -> value.longValueExact() + "L";
          case DOUBLE -> value.doubleValue() + "d";
          case DECIMAL ->
              block.constant(type.keyword(), "new java.math.BigDecimal(\"" + value + "\")");
          case BOOLEAN, STRING -> throw new UntranslatableException("the number " + value);
        };
    return new Term(type, java, Term.NEVER, value);
  }

  /** A date that is known now, in days since 1970. */
  Term date(int day) throws UntranslatableException {
    return number(JavaType.INT, BigDecimal.valueOf(day));
  }

  /** A number of a type as one of a wider type; terms of the same type as they are. */
  Term widen(Term term, JavaType type) throws UntranslatableException {
    if (term.type() == type) {
      return term;
    }
    if (term.isNull().equals(Term.ALWAYS)) {
      return Term.nothing(type);
    }
    if (term.isConstant() && (type != JavaType.INT || isInt(term.number()))) {
      return number(type, term.number());
    }
    String java =
        switch (type) {
          case LONG -> term.type() == JavaType.INT ? "(long) %s" : null;
          case DECIMAL ->
              term.type() == JavaType.INT || term.type() == JavaType.LONG
                  ? "java.math.BigDecimal.valueOf((long) %s)"
                  : null;
          case DOUBLE ->
              switch (term.type()) {
                case INT, LONG -> "(double) %s";
                case DECIMAL -> "%s.doubleValue()";
                case BOOLEAN, DOUBLE, STRING -> null;
              };
          case BOOLEAN, INT, STRING -> null;
        };
    if (java == null) {
      throw new UntranslatableException(term.type() + " as " + type);
    }
    return strict(type, java.formatted(term.value()), term);
  }

  private static boolean isInt(BigDecimal number) {
    return number.compareTo(BigDecimal.valueOf(Integer.MIN_VALUE)) >= 0
        && number.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) <= 0;
  }

  /** A cast of a literal: also of a text to a date. */
  Term castLiteral(RexLiteral literal, RelDataType to, Term term) throws UntranslatableException {
    if (to.getSqlTypeName() == SqlTypeName.DATE
        && SqlTypeName.CHAR_TYPES.contains(literal.getType().getSqlTypeName())) {
      try {
        LocalDate date =
            LocalDate.parse(new DateString(literal.getValueAs(String.class)).toString());
        return date(Math.toIntExact(date.toEpochDay()));
      } catch (IllegalArgumentException | DateTimeException notADate) {
        throw new UntranslatableException(literal + " as a date: " + notADate.getMessage());
      }
    }
    return cast(term, literal.getType(), to);
  }

  /** A cast that loses nothing, or rounds a decimal. */
  Term cast(Term term, RelDataType from, RelDataType to) throws UntranslatableException {
    SqlTypeName source = from.getSqlTypeName();
    SqlTypeName target = to.getSqlTypeName();
    if (source == SqlTypeName.NULL) {
      return Term.nothing(JavaType.of(to));
    }
    if (target == SqlTypeName.DECIMAL && isNumeric(from)) {
      return fitted(widen(term, JavaType.DECIMAL), to);
    }
    if (SqlTypeName.CHAR_TYPES.contains(source) && SqlTypeName.CHAR_TYPES.contains(target)) {
      return text(term, from, to);
    }
    if (source == target && !isInterval(from)) {
      return term;
    }
    if (source == SqlTypeName.DATE && target == SqlTypeName.TIMESTAMP) {
      return strict(JavaType.LONG, term.value() + " * " + MILLIS_PER_DAY + "L", term);
    }
    if (source == SqlTypeName.TIMESTAMP && target == SqlTypeName.DATE) {
      return strict(
          JavaType.INT, "(int) Math.floorDiv(" + term.value() + ", " + MILLIS_PER_DAY + "L)", term);
    }
    if (isNumeric(from) && isNumeric(to) && rank(target) > rank(source)) {
      return widen(term, JavaType.of(to));
    }
    throw new UntranslatableException("a cast of " + from + " to " + to);
  }

  private static boolean isNumeric(RelDataType type) {
    return type.getFamily() instanceof SqlTypeFamily && rank(type.getSqlTypeName()) > 0;
  }

  private static int rank(SqlTypeName type) {
    return switch (type) {
      case TINYINT -> 1;
      case SMALLINT -> 2;
      case INTEGER -> 3;
      case BIGINT -> 4;
      case DECIMAL -> 5;
      case DOUBLE -> 6;
      default -> 0;
    };
  }

  /**
   * A decimal rounded to the scale of its type. A DECIMAL without precision keeps what it has: a
   * column of Beam's has no scale, and is not to lose its digits in a CASE.
   */
  private Term fitted(Term term, RelDataType type) {
    RelDataType unlimited = types.createSqlType(SqlTypeName.DECIMAL);
    if (type.getPrecision() == unlimited.getPrecision()
        && type.getScale() == unlimited.getScale()) {
      return term;
    }
    return strict(
        JavaType.DECIMAL,
        Decimals.class.getName()
            + ".fit("
            + term.value()
            + ", "
            + type.getPrecision()
            + ", "
            + type.getScale()
            + ")",
        term);
  }

  /** Texts keep their length, unless the type has another one. */
  private static Term text(Term term, RelDataType from, RelDataType to)
      throws UntranslatableException {
    boolean unlimited = to.getPrecision() == RelDataType.PRECISION_NOT_SPECIFIED;
    boolean fits =
        from.getPrecision() != RelDataType.PRECISION_NOT_SPECIFIED
            && from.getPrecision() <= to.getPrecision();
    boolean same =
        to.getSqlTypeName() == from.getSqlTypeName() && to.getPrecision() == from.getPrecision();
    if (same || (to.getSqlTypeName() == SqlTypeName.VARCHAR && (unlimited || fits))) {
      return term;
    }
    throw new UntranslatableException("a cast of " + from + " to " + to);
  }
}
