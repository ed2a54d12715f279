// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

import java.util.List;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexProgram;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexProgramBuilder;

/**
 * Writes a condition on two rows as a method {@code boolean test(Row left, Row right)}, false where
 * SQL does not know.
 */
public final class PredicateTranslator {

  private PredicateTranslator() {}

  /**
   * The source of a condition.
   *
   * @param condition over the columns of the left row, then those of the right one
   * @param columns these columns
   * @param leftColumns how many of them are in the left row
   * @return the body of a class with the method
   * @throws UntranslatableException if there is an expression, or a column, that is unknown here
   */
  public static String translate(
      RexNode condition, RelDataType columns, int leftColumns, RexBuilder builder)
      throws UntranslatableException {
    RexProgramBuilder programs = new RexProgramBuilder(columns, builder);
    programs.addCondition(condition);
    RexProgram program = programs.getProgram();
    JavaBlock block = new JavaBlock();
    ExpressionTranslator expressions =
        new ExpressionTranslator(
            program, builder, block, FieldReader.ofTwo(schema(columns), leftColumns));
    for (RexNode conjunct : new Failures(program).conjuncts(program.getCondition())) {
      block.line("if (!" + expressions.translate(conjunct).value() + ") { return false; }");
    }
    String row = Row.class.getName() + " ";
    return block.fields()
        + "public boolean test("
        + row
        + FieldReader.LEFT
        + ", "
        + row
        + FieldReader.RIGHT
        + ") {\n"
        + block.statements()
        + "  return true;\n}\n";
  }

  /** The conjuncts of a condition over columns in the order in which they are asked. */
  public static List<RexNode> conjuncts(
      RexNode condition, RelDataType columns, RexBuilder builder) {
    RexProgram program = new RexProgramBuilder(columns, builder).getProgram();
    return new Failures(program).inOrder(RelOptUtil.conjunctions(condition));
  }

  private static Schema schema(RelDataType columns) {
    Schema.Builder schema = Schema.builder();
    for (RelDataTypeField column : columns.getFieldList()) {
      schema.addNullableField("f" + column.getIndex(), FieldTypes.of(column.getType()));
    }
    return schema.build();
  }
}
