// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

import dev.anemone.beam.sql.codegen.CheckedArithmetic;
import dev.anemone.beam.sql.codegen.PredicateTranslator;
import dev.anemone.beam.sql.codegen.UntranslatableException;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamJavaTypeFactory;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.adapter.enumerable.RexToLixTranslator;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.linq4j.tree.BlockBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.linq4j.tree.Expression;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.linq4j.tree.Expressions;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.linq4j.tree.ParameterExpression;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexProgramBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.codehaus.commons.compiler.CompileException;
import org.codehaus.janino.ClassBodyEvaluator;

/**
 * What two rows of a join must satisfy beside the equality of their keys. It travels as Java code
 * and is compiled where it is needed.
 */
final class JoinCondition implements Serializable {

  private static final long serialVersionUID = 1L;

  private static final ParameterExpression LEFT = Expressions.parameter(Row.class, "left");
  private static final ParameterExpression RIGHT = Expressions.parameter(Row.class, "right");

  private final String code;

  private transient JoinPredicate predicate;

  private JoinCondition(String code) {
    this.code = code;
  }

  /**
   * Generates the code of a condition.
   *
   * @param condition over the columns of the left row, then those of the right one
   * @param columns these columns
   * @throws UnsupportedSqlException if there is no code for it
   */
  static JoinCondition of(
      RexNode condition, RelDataType columns, int leftColumns, RexBuilder builder) {
    String code;
    try {
      code = PredicateTranslator.translate(condition, columns, leftColumns, builder);
    } catch (UntranslatableException unknown) {
      code = calcite(condition, columns, leftColumns, builder);
    }
    JoinCondition compiled = new JoinCondition(code);
    try {
      compiled.compile();
    } catch (CompileException | RuntimeException notCompiled) {
      UnsupportedSqlException unsupported =
          new UnsupportedSqlException("The join condition " + condition + " is not supported.");
      unsupported.initCause(notCompiled);
      throw unsupported;
    }
    return compiled;
  }

  /**
   * What Calcite makes of a condition, which knows more. It computes all parts of what it is given,
   * so it is given each conjunct by itself: one may keep the next from failing.
   */
  private static String calcite(
      RexNode condition, RelDataType columns, int leftColumns, RexBuilder builder) {
    StringBuilder code = new StringBuilder();
    List<String> calls = new ArrayList<>();
    for (RexNode conjunct : PredicateTranslator.conjuncts(condition, columns, builder)) {
      String name = "test" + calls.size();
      code.append(calcite(name, conjunct, columns, leftColumns, builder));
      calls.add(name + "(" + LEFT.name + ", " + RIGHT.name + ")");
    }
    return code + method("test") + "{ return " + String.join(" && ", calls) + "; }";
  }

  private static String method(String name) {
    String row = Row.class.getName() + " ";
    return "public boolean " + name + "(" + row + LEFT.name + ", " + row + RIGHT.name + ") ";
  }

  private static String calcite(
      String name, RexNode condition, RelDataType columns, int leftColumns, RexBuilder builder) {
    RexProgramBuilder program = new RexProgramBuilder(columns, builder);
    program.addCondition(condition.accept(new CheckedArithmetic(builder)));
    BlockBuilder block = new BlockBuilder();
    Expression truth =
        RexToLixTranslator.translateCondition(
            program.getProgram(),
            BeamJavaTypeFactory.INSTANCE,
            block,
            (list, column, type) ->
                column < leftColumns
                    ? value(LEFT, column, columns, column)
                    : value(RIGHT, column - leftColumns, columns, column),
            null,
            SqlConformanceEnum.MYSQL_5);
    block.add(Expressions.return_(null, truth));
    return method(name) + block.toBlock();
  }

  boolean test(Row left, Row right) {
    if (predicate == null) {
      try {
        predicate = compile();
      } catch (CompileException impossible) {
        throw new IllegalStateException("This was compiled before:\n" + code, impossible);
      }
    }
    return predicate.test(left, right);
  }

  private JoinPredicate compile() throws CompileException {
    ClassBodyEvaluator evaluator = new ClassBodyEvaluator();
    evaluator.setParentClassLoader(JoinCondition.class.getClassLoader());
    evaluator.setImplementedInterfaces(new Class<?>[] {JoinPredicate.class});
    evaluator.cook(code);
    try {
      return (JoinPredicate) evaluator.getClazz().getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException("There is no instance of:\n" + code, impossible);
    }
  }

  private static Expression value(
      ParameterExpression row, int index, RelDataType columns, int column) {
    RelDataType type = columns.getFieldList().get(column).getType();
    Expression constant = Expressions.constant(index, int.class);
    return switch (type.getSqlTypeName()) {
      case BOOLEAN -> get(row, constant, Boolean.class);
      case TINYINT -> get(row, constant, Byte.class);
      case SMALLINT -> get(row, constant, Short.class);
      case INTEGER -> get(row, constant, Integer.class);
      case BIGINT -> get(row, constant, Long.class);
      case FLOAT, REAL -> get(row, constant, Float.class);
      case DOUBLE -> get(row, constant, Double.class);
      case DECIMAL -> get(row, constant, BigDecimal.class);
      case CHAR, VARCHAR -> get(row, constant, String.class);
      case DATE -> Expressions.call(SqlValues.class, "date", row, constant);
      case TIME -> Expressions.call(SqlValues.class, "time", row, constant);
      case TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          Expressions.call(SqlValues.class, "timestamp", row, constant);
      default ->
          throw new UnsupportedSqlException(
              "A join condition other than = on a column of type " + type + " is not supported.");
    };
  }

  private static Expression get(ParameterExpression row, Expression index, Class<?> type) {
    return Expressions.convert_(Expressions.call(row, "getValue", index), type);
  }
}
