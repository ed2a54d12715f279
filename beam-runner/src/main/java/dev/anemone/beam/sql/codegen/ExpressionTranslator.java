// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexInputRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexLiteral;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexLocalRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexProgram;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlOperator;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.fun.SqlTrimFunction;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeName;

/**
 * Translates the expressions of a Calc to statements of Java on typed local variables, after the
 * model of Neumann, <i>Efficiently Compiling Efficient Query Plans for Modern Hardware</i> (VLDB
 * 2011): no boxes, no calls but those of the operations, and each common expression once.
 *
 * <p>NULLs follow SQL's three-valued logic. AND, OR and CASE do not evaluate what they do not need,
 * so an error in it does not show. An operator that is not known here is a call of a method that
 * Calcite writes ({@link CalciteFunction}), and what neither knows is refused, never guessed.
 */
final class ExpressionTranslator {
  private final RexProgram program;
  private final RexBuilder rexBuilder;
  private final JavaBlock block;
  private final FieldReader fields;
  private final Arithmetic arithmetic;
  private final Conversions conversions;
  private final Failures failures;

  /** What was tried in vain, so that it is not tried again for each expression around it. */
  private final Set<RexNode> untranslatable = new HashSet<>();

  ExpressionTranslator(
      RexProgram program, RexBuilder rexBuilder, JavaBlock block, FieldReader fields) {
    this.program = program;
    this.rexBuilder = rexBuilder;
    this.block = block;
    this.fields = fields;
    this.failures = new Failures(program);
    this.conversions = new Conversions(rexBuilder.getTypeFactory(), block);
    this.arithmetic = new Arithmetic(conversions);
  }

  /**
   * Writes the statements that compute an expression.
   *
   * @throws UntranslatableException if it has a part that is not known here
   */
  Term translate(RexNode node) throws UntranslatableException {
    Optional<Term> known = block.known(node);
    if (known.isPresent()) {
      return known.get();
    }
    if (untranslatable.contains(node)) {
      throw new UntranslatableException(node.toString());
    }
    try {
      return block.remember(node, compute(node));
    } catch (UntranslatableException unknown) {
      untranslatable.add(node);
      throw unknown;
    }
  }

  private Term compute(RexNode node) throws UntranslatableException {
    if (node instanceof RexLocalRef ref) {
      return translate(program.getExprList().get(ref.getIndex()));
    }
    if (node instanceof RexInputRef ref) {
      return fields.read(ref, block);
    }
    if (node instanceof RexLiteral literal) {
      return conversions.literal(literal);
    }
    if (node instanceof RexCall call) {
      return call(call);
    }
    throw new UntranslatableException(node.toString());
  }

  private Term call(RexCall call) throws UntranslatableException {
    return switch (call.getKind()) {
      case AND -> and(failures.inOrder(call.getOperands()));
      case OR -> or(failures.inOrder(call.getOperands()));
      case CASE -> choice(call);
      case COALESCE -> coalesce(call);
      default -> {
        try {
          yield strict(call);
        } catch (UntranslatableException unknown) {
          // The operands that it has translated so far are known to the block, and used again.
          yield new CalciteFunction(program, rexBuilder).call(call, this::translate, block);
        }
      }
    };
  }

  /** A call that computes all its operands. */
  private Term strict(RexCall call) throws UntranslatableException {
    return switch (call.getKind()) {
      case NOT -> not(operand(call, 0));
      case IS_NULL -> truth(operand(call, 0).isNull());
      case IS_NOT_NULL -> truth("!" + operand(call, 0).isNull());
      case IS_TRUE -> truth(operand(call, 0).value());
      case IS_NOT_TRUE -> truth("!" + operand(call, 0).value());
      case IS_FALSE -> truth(isFalse(operand(call, 0)));
      case IS_NOT_FALSE -> truth("!(" + isFalse(operand(call, 0)) + ")");
      case EQUALS,
          NOT_EQUALS,
          LESS_THAN,
          LESS_THAN_OR_EQUAL,
          GREATER_THAN,
          GREATER_THAN_OR_EQUAL -> {
        requireComparable(call.getOperands().get(0), call.getOperands().get(1));
        yield arithmetic.compare(call.getKind(), operand(call, 0), operand(call, 1));
      }
      case SEARCH -> translate(RexUtil.expandSearch(rexBuilder, program, call));
      case CAST -> cast(call);
      case PLUS, MINUS, TIMES, DIVIDE, MOD -> arithmetic(call);
      case MINUS_PREFIX -> arithmetic.negate(operand(call, 0), call.getType());
      case EXTRACT -> extract(call);
      case LIKE -> like(call);
      case TRIM -> trim(call);
      default -> function(call);
    };
  }

  private Term operand(RexCall call, int index) throws UntranslatableException {
    return translate(call.getOperands().get(index));
  }

  private static Term truth(String condition) {
    return Term.notNull(JavaType.BOOLEAN, "(" + condition + ")");
  }

  /** The value of a boolean term is false while it is NULL, which is why nothing asks for that. */
  private static String isFalse(Term term) {
    return term.isNullable() ? "!" + term.value() + " && !" + term.isNull() : "!" + term.value();
  }

  private Term not(Term term) {
    return Term.of(JavaType.BOOLEAN, "(" + isFalse(term) + ")", term.isNull());
  }

  /** False if one operand is, else NULL if one is; what follows a false one is not evaluated. */
  private Term and(List<RexNode> operands) throws UntranslatableException {
    String isFalse = block.mutable("boolean", "false");
    String unknown = block.mutable("boolean", "false");
    for (int i = 0; i < operands.size(); i++) {
      if (i > 0) {
        block.open("if (!" + isFalse + ") {");
      }
      Term operand = translate(operands.get(i));
      block.line(isFalse + " = " + isFalse(operand) + ";");
      if (operand.isNullable()) {
        block.line(unknown + " |= " + operand.isNull() + ";");
      }
    }
    closeAll(operands.size() - 1);
    return Term.of(
        JavaType.BOOLEAN,
        block.variable("boolean", "!" + isFalse + " && !" + unknown),
        block.variable("boolean", "!" + isFalse + " && " + unknown));
  }

  /** True if one operand is, else NULL if one is; what follows a true one is not evaluated. */
  private Term or(List<RexNode> operands) throws UntranslatableException {
    String isTrue = block.mutable("boolean", "false");
    String unknown = block.mutable("boolean", "false");
    for (int i = 0; i < operands.size(); i++) {
      if (i > 0) {
        block.open("if (!" + isTrue + ") {");
      }
      Term operand = translate(operands.get(i));
      block.line(isTrue + " = " + operand.value() + ";");
      if (operand.isNullable()) {
        block.line(unknown + " |= " + operand.isNull() + ";");
      }
    }
    closeAll(operands.size() - 1);
    return Term.of(
        JavaType.BOOLEAN, isTrue, block.variable("boolean", "!" + isTrue + " && " + unknown));
  }

  private void closeAll(int count) {
    for (int i = 0; i < count; i++) {
      block.close();
    }
  }

  /** CASE: conditions and results alternate, and the last operand is the ELSE. */
  private Term choice(RexCall call) throws UntranslatableException {
    Assignment result = new Assignment(call.getType());
    List<RexNode> operands = call.getOperands();
    int conditions = operands.size() / 2;
    for (int i = 0; i < conditions; i++) {
      block.open("if (" + translate(operands.get(2 * i)).value() + ") {");
      result.set(operands.get(2 * i + 1));
      block.otherwise();
    }
    result.set(operands.get(operands.size() - 1));
    closeAll(conditions);
    return result.term();
  }

  private Term coalesce(RexCall call) throws UntranslatableException {
    Assignment result = new Assignment(call.getType());
    List<RexNode> operands = call.getOperands();
    for (int i = 0; i < operands.size(); i++) {
      if (i > 0) {
        block.open("if (" + result.isNull + ") {");
      }
      result.set(operands.get(i));
    }
    closeAll(operands.size() - 1);
    return result.term();
  }

  /** A variable that different blocks set. */
  private final class Assignment {
    private final JavaType type;
    private final String value;
    private final String isNull;

    Assignment(RelDataType sqlType) throws UntranslatableException {
      type = JavaType.of(sqlType);
      value = block.mutable(type.keyword(), type.nullValue());
      isNull = block.mutable("boolean", "true");
    }

    void set(RexNode node) throws UntranslatableException {
      Term term = conversions.widen(translate(node), type);
      block.line(value + " = " + term.value() + ";");
      block.line(isNull + " = " + term.isNull() + ";");
    }

    Term term() {
      return Term.of(type, value, isNull);
    }
  }

  private Term cast(RexCall call) throws UntranslatableException {
    RexNode from = call.getOperands().get(0);
    RexNode definition = definition(from);
    return definition instanceof RexLiteral literal && !literal.isNull()
        ? conversions.castLiteral(literal, call.getType(), translate(from))
        : conversions.cast(translate(from), from.getType(), call.getType());
  }

  private Term arithmetic(RexCall call) throws UntranslatableException {
    if (call.getOperands().size() != 2) {
      throw new UntranslatableException(call.toString());
    }
    RelDataType left = call.getOperands().get(0).getType();
    RelDataType right = call.getOperands().get(1).getType();
    RexNode days = wholeDays(call.getOperands().get(1));
    if (left.getSqlTypeName() == SqlTypeName.DATE && days != null) {
      return arithmetic.moveDays(call.getKind(), operand(call, 0), translate(days));
    }
    if (isTemporal(call.getType()) || isTemporal(left) || isTemporal(right)) {
      return arithmetic.moveTime(call, operand(call, 0), interval(call));
    }
    return arithmetic.compute(call.getKind(), operand(call, 0), operand(call, 1), call.getType());
  }

  /** The number in {@code n * INTERVAL '1' DAY}, null if an expression is something else. */
  private RexNode wholeDays(RexNode interval) {
    if (definition(interval) instanceof RexCall product
        && product.isA(SqlKind.TIMES)
        && definition(product.getOperands().get(1)) instanceof RexLiteral unit
        && SqlTypeName.DAY_INTERVAL_TYPES.contains(unit.getType().getSqlTypeName())
        && unit.getValueAs(Long.class) == Conversions.MILLIS_PER_DAY
        && SqlTypeName.INT_TYPES.contains(
            product.getOperands().get(0).getType().getSqlTypeName())) {
      return product.getOperands().get(0);
    }
    return null;
  }

  private RexNode definition(RexNode node) {
    return node instanceof RexLocalRef ref ? program.getExprList().get(ref.getIndex()) : node;
  }

  /** The second operand of a date arithmetic: a literal, in months or in milliseconds. */
  private RexLiteral interval(RexCall call) throws UntranslatableException {
    RexNode operand = call.getOperands().get(1);
    RexNode definition = definition(operand);
    if (definition instanceof RexLiteral literal
        && !literal.isNull()
        && literal.getType().getSqlTypeName().getFamily() != null
        && literal.getValue() instanceof BigDecimal) {
      return literal;
    }
    throw new UntranslatableException(call.toString());
  }

  private static boolean isTemporal(RelDataType type) {
    return Conversions.isDateTime(type) || Conversions.isInterval(type);
  }

  /** Days and milliseconds are both numbers in Java, but not comparable. */
  private static void requireComparable(RexNode left, RexNode right)
      throws UntranslatableException {
    if ((isTemporal(left.getType()) || isTemporal(right.getType()))
        && left.getType().getSqlTypeName() != right.getType().getSqlTypeName()) {
      throw new UntranslatableException(left.getType() + " compared with " + right.getType());
    }
  }

  private Term extract(RexCall call) throws UntranslatableException {
    RexNode unit = call.getOperands().get(0);
    RexNode definition = definition(unit);
    RexNode from = call.getOperands().get(1);
    if (!(definition instanceof RexLiteral literal)
        || !(literal.getValue() instanceof TimeUnitRange range)) {
      throw new UntranslatableException(call.toString());
    }
    return arithmetic.extract(range, translate(from), from.getType(), call.getType());
  }

  private Term like(RexCall call) throws UntranslatableException {
    List<String> literals = new ArrayList<>();
    for (RexNode operand : call.getOperands().subList(1, call.getOperands().size())) {
      RexNode definition = definition(operand);
      if (definition instanceof RexLiteral literal && !literal.isNull()) {
        literals.add(literal.getValueAs(String.class));
      }
    }
    // NOT LIKE is a NOT around a LIKE by now; an operator of its own is another dialect's.
    if (!call.getOperator().equals(SqlStdOperatorTable.LIKE)
        || literals.size() != call.getOperands().size() - 1
        || !LikePattern.isValid(literals)) {
      throw new UntranslatableException(call.toString());
    }
    String pattern =
        block.constant(
            LikePattern.class.getName(),
            LikePattern.class.getName()
                + ".of("
                + JavaLiterals.text(literals.get(0))
                + ", "
                + (literals.size() > 1 ? JavaLiterals.text(literals.get(1)) : "null")
                + ")");
    Term text = operand(call, 0);
    return conversions.strict(JavaType.BOOLEAN, pattern + ".matches(" + text.value() + ")", text);
  }

  private Term trim(RexCall call) throws UntranslatableException {
    if (!call.getOperator().equals(SqlStdOperatorTable.TRIM)
        || !SqlTypeName.CHAR_TYPES.contains(call.getType().getSqlTypeName())
        || !(definition(call.getOperands().get(0)) instanceof RexLiteral ends)) {
      throw new UntranslatableException(call.toString());
    }
    SqlTrimFunction.Flag flag = ends.getValueAs(SqlTrimFunction.Flag.class);
    Term characters = operand(call, 1);
    Term text = operand(call, 2);
    return conversions.strict(
        JavaType.of(call.getType()),
        String.format(
            "%s.trim(%s, %s, %s, %s)",
            CodePoints.class.getName(),
            flag != SqlTrimFunction.Flag.TRAILING,
            flag != SqlTrimFunction.Flag.LEADING,
            characters.value(),
            text.value()),
        characters,
        text);
  }

  private Term function(RexCall call) throws UntranslatableException {
    SqlOperator operator = call.getOperator();
    if (operator.equals(SqlStdOperatorTable.ABS)) {
      return arithmetic.absolute(operand(call, 0), call.getType());
    }
    if (operator.equals(OnlyRow.INSTANCE)) {
      return onlyRow(operand(call, 0), operand(call, 1));
    }
    String java = TextFunctions.java(operator, call.getOperands());
    List<Term> operands = new ArrayList<>();
    for (RexNode operand : call.getOperands()) {
      operands.add(translate(operand));
    }
    return conversions.strict(
        JavaType.of(call.getType()),
        TextFunctions.call(java, operands),
        operands.toArray(Term[]::new));
  }

  private Term onlyRow(Term value, Term rows) {
    block.line(OnlyRow.class.getName() + ".check(" + rows.value() + ");");
    return value;
  }
}
