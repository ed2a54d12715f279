// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexInputRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexLocalRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexProgram;

/**
 * Writes a {@link RowFunction} for the program of a Calc.
 *
 * <pre>{@code
 * SELECT a * (1 - b) AS c FROM t WHERE d < 24
 *
 * private static final BigDecimal C0 = new BigDecimal("24");
 * private static final BigDecimal C1 = new BigDecimal("1");
 * public Object[] apply(Row row) {
 *   final BigDecimal v0 = (BigDecimal) row.getValue(3);
 *   final boolean v1 = v0.compareTo(C0) < 0;
 *   if (!v1) { return null; }
 *   final BigDecimal v2 = (BigDecimal) row.getValue(0);
 *   final BigDecimal v3 = (BigDecimal) row.getValue(1);
 *   final BigDecimal v4 = C1.subtract(v3);
 *   final BigDecimal v5 = v2.multiply(v4);
 *   return new Object[] {v5};
 * }
 * }</pre>
 */
public final class CalcTranslator {
  private final RexProgram program;
  private final Schema input;
  private final JavaBlock block = new JavaBlock();
  private final FieldReader fields;
  private final ExpressionTranslator expressions;

  private CalcTranslator(RexProgram program, RexBuilder rexBuilder, Schema input) {
    this.program = program;
    this.input = input;
    this.fields = new FieldReader(input);
    this.expressions = new ExpressionTranslator(program, rexBuilder, block, fields);
  }

  /**
   * The source of a program.
   *
   * @param input of the rows that it reads
   * @return the body of a class that extends {@link RowFunction}
   * @throws UntranslatableException if there is an expression that is unknown here
   */
  public static String translate(RexProgram program, RexBuilder rexBuilder, Schema input)
      throws UntranslatableException {
    return new CalcTranslator(program, rexBuilder, input).source();
  }

  private String source() throws UntranslatableException {
    if (program.getCondition() != null) {
      for (RexNode conjunct : new Failures(program).conjuncts(program.getCondition())) {
        block.line("if (!" + expressions.translate(conjunct).value() + ") { return null; }");
      }
    }
    List<String> values = new ArrayList<>();
    for (RexLocalRef project : program.getProjectList()) {
      values.add(value(program.getExprList().get(project.getIndex())));
    }
    return block.fields()
        + "public Object[] apply("
        + Row.class.getName()
        + " "
        + FieldReader.ROW
        + ") {\n"
        + block.statements()
        + "  return new Object[] {"
        + String.join(", ", values)
        + "};\n}\n";
  }

  private String value(RexNode node) throws UntranslatableException {
    if (node instanceof RexInputRef ref) {
      FieldType field = input.getField(ref.getIndex()).getType().withNullable(false);
      if (field.equals(FieldTypes.of(ref.getType()))) {
        return fields.object(ref);
      }
    }
    RelDataType sqlType = node.getType();
    Term term = expressions.translate(node);
    if (term.type() != JavaType.of(sqlType)) {
      term = Term.nothing(JavaType.of(sqlType));
    }
    String boxed = boxing(sqlType).formatted(term.value());
    return term.isNullable() && term.type().isPrimitive()
        ? "(" + term.isNull() + " ? null : " + boxed + ")"
        : boxed;
  }

  /** Java that makes the object of a field, with a place for the value. */
  private static String boxing(RelDataType type) throws UntranslatableException {
    return switch (type.getSqlTypeName()) {
      case BOOLEAN -> "Boolean.valueOf(%s)";
      case TINYINT -> "Byte.valueOf((byte) %s)";
      case SMALLINT -> "Short.valueOf((short) %s)";
      case INTEGER -> "Integer.valueOf(%s)";
      case BIGINT -> "Long.valueOf(%s)";
      case DOUBLE -> "Double.valueOf(%s)";
      case DATE -> "java.time.LocalDate.ofEpochDay((long) %s)";
      case TIMESTAMP -> "org.joda.time.Instant.ofEpochMilli(%s)";
      case DECIMAL, CHAR, VARCHAR -> "%s";
      default -> throw new UntranslatableException("a value of type " + type);
    };
  }
}
