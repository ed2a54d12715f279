// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamJavaTypeFactory;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.DataContext;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.adapter.enumerable.RexToLixTranslator;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.linq4j.tree.BlockBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.linq4j.tree.Expression;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.linq4j.tree.Expressions;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.linq4j.tree.ParameterExpression;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexLiteral;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexLocalRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexProgram;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexProgramBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlOperator;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.validate.SqlUserDefinedFunction;

/**
 * A call of an operator that is not known here, as a method of Java that Calcite's code generator
 * writes. Its operands are arguments of the method, and are computed before by {@link
 * ExpressionTranslator}; but for literals, and for values of types that it has none for.
 */
final class CalciteFunction {
  /** What computes an operand only if it needs it cannot take it as an argument. */
  private static final Set<SqlKind> LAZY =
      EnumSet.of(SqlKind.AND, SqlKind.OR, SqlKind.CASE, SqlKind.COALESCE);

  private static final Pattern CONTEXT = Pattern.compile("\\b" + DataContext.ROOT.name + "\\b");

  private final RexProgram program;
  private final RexBuilder rexBuilder;
  private final List<RexNode> arguments = new ArrayList<>();

  /** A function for a call in a program. */
  CalciteFunction(RexProgram program, RexBuilder rexBuilder) {
    this.program = program;
    this.rexBuilder = rexBuilder;
  }

  /** Computes the arguments. */
  @FunctionalInterface
  interface Operands {
    Term translate(RexNode operand) throws UntranslatableException;
  }

  /**
   * Writes the method and a call of it.
   *
   * @return the result, which Java has as an object
   * @throws UntranslatableException if Calcite has no code for it, or it cannot stand by itself
   */
  Term call(RexCall call, Operands operands, JavaBlock block) throws UntranslatableException {
    JavaType type = JavaType.of(call.getType());
    RexNode body = body(call, true).accept(new CheckedArithmetic(rexBuilder));
    List<String> values = new ArrayList<>();
    List<RelDataType> types = new ArrayList<>();
    List<ParameterExpression> parameters = new ArrayList<>();
    for (RexNode argument : arguments) {
      Term term = operands.translate(argument);
      ParameterExpression parameter =
          Expressions.parameter(
              BeamJavaTypeFactory.INSTANCE.getJavaClass(argument.getType()),
              "p" + parameters.size());
      parameters.add(parameter);
      types.add(argument.getType());
      values.add(argument(term, (Class<?>) parameter.getType()));
    }
    String method = block.method(parameters(parameters), code(body, types, parameters));
    return result(type, method + "(" + String.join(", ", values) + ")", block);
  }

  /** The call, with references to arguments for operands. */
  private RexNode body(RexNode node, boolean isRoot) throws UntranslatableException {
    if (node instanceof RexLocalRef ref) {
      return body(program.getExprList().get(ref.getIndex()), isRoot);
    }
    if (node instanceof RexLiteral) {
      return node;
    }
    if (!isRoot && isKnown(node.getType())) {
      int index = arguments.indexOf(node);
      if (index < 0) {
        index = arguments.size();
        arguments.add(node);
      }
      return rexBuilder.makeInputRef(node.getType(), index);
    }
    if (!(node instanceof RexCall call) || LAZY.contains(call.getKind()) || isSpecial(call)) {
      throw new UntranslatableException(node.toString());
    }
    List<RexNode> operands = new ArrayList<>();
    for (RexNode operand : call.getOperands()) {
      operands.add(body(operand, false));
    }
    return call.clone(call.getType(), operands);
  }

  private static boolean isKnown(RelDataType type) {
    try {
      JavaType.of(type);
      return true;
    } catch (UntranslatableException other) {
      return false;
    }
  }

  /** A user's function may have its own class loader; others need a state or the time. */
  private static boolean isSpecial(RexCall call) {
    SqlOperator operator = call.getOperator();
    return operator instanceof SqlUserDefinedFunction
        || !operator.isDeterministic()
        || operator.isDynamicFunction();
  }

  private String code(RexNode body, List<RelDataType> types, List<ParameterExpression> parameters)
      throws UntranslatableException {
    List<String> names = parameters.stream().map(parameter -> parameter.name).toList();
    RexProgramBuilder function =
        new RexProgramBuilder(
            rexBuilder.getTypeFactory().createStructType(types, names), rexBuilder);
    function.addProject(body, "result");
    BlockBuilder code = new BlockBuilder();
    try {
      Expression value =
          RexToLixTranslator.translateProjects(
                  function.getProgram(),
                  BeamJavaTypeFactory.INSTANCE,
                  SqlConformanceEnum.MYSQL_5,
                  code,
                  null,
                  null,
                  DataContext.ROOT,
                  (list, index, storage) -> parameters.get(index),
                  null)
              .get(0);
      code.add(Expressions.return_(null, Expressions.box(value)));
    } catch (RuntimeException notGenerated) {
      // Whatever Calcite's generator fails with: it says so in many ways.
      UntranslatableException untranslatable = new UntranslatableException(body.toString());
      untranslatable.initCause(notGenerated);
      throw untranslatable;
    }
    String block = code.toBlock().toString();
    if (CONTEXT.matcher(block).find()) {
      throw new UntranslatableException(body + " with a context");
    }
    return block;
  }

  private static String parameters(List<ParameterExpression> parameters) {
    List<String> declarations = new ArrayList<>();
    for (ParameterExpression parameter : parameters) {
      declarations.add(((Class<?>) parameter.getType()).getName() + " " + parameter.name);
    }
    return String.join(", ", declarations);
  }

  /** A term as an argument of a class, which is a primitive type where no NULL can be. */
  private static String argument(Term term, Class<?> type) {
    if (type.isPrimitive()) {
      return "(" + type.getName() + ") " + term.value();
    }
    if (!term.type().isPrimitive()) {
      return term.value();
    }
    String unboxed = type == Byte.class ? "(byte) " : type == Short.class ? "(short) " : "";
    return "("
        + term.isNull()
        + " ? null : "
        + type.getName()
        + ".valueOf("
        + unboxed
        + term.value()
        + "))";
  }

  private static Term result(JavaType type, String call, JavaBlock block) {
    String object = block.variable("Object", call);
    String isNull = block.variable("boolean", object + " == null");
    String value =
        switch (type) {
          case BOOLEAN -> "((Boolean) %s).booleanValue()";
          case INT -> "((Number) %s).intValue()";
          case LONG -> "((Number) %s).longValue()";
          case DOUBLE -> "((Number) %s).doubleValue()";
          case DECIMAL, STRING -> "(" + type.keyword() + ") %s";
        };
    return Term.of(
        type,
        block.variable(
            type.keyword(), isNull + " ? " + type.nullValue() + " : " + value.formatted(object)),
        isNull);
  }
}
