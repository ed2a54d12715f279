// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.exec;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexInputRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexProgram;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;

/**
 * A projection that {@link CalcRel} cannot run as a whole, in two: it runs the expressions, and
 * parts of expressions, that it can, and Beam's operator above it only the rest. So the digits of a
 * quotient do not depend on what else a query asks for.
 *
 * <pre>
 * before:  Calc(price / n, my_function(price / n, s))
 * after:   Calc(q, my_function(q, s))
 *            CalcRel(price / n AS q, s)
 * </pre>
 *
 * @param below what CalcRel runs
 * @param above what is left, on its rows
 */
record CalcSplit(RexProgram below, RexProgram above) {

  /** Whose operands are evaluated only if they are needed: they stay together. */
  private static final Set<SqlKind> LAZY =
      EnumSet.of(SqlKind.AND, SqlKind.OR, SqlKind.CASE, SqlKind.COALESCE);

  /**
   * Divides a projection.
   *
   * @param program without a condition
   * @return empty if nothing of it can be run but its columns
   */
  static Optional<CalcSplit> of(RexProgram program, RexBuilder rexBuilder) {
    Splitter splitter = new Splitter(program, rexBuilder);
    List<RexNode> left =
        program.getProjectList().stream()
            .map(project -> program.expandLocalRef(project).accept(splitter))
            .toList();
    if (splitter.run.stream().allMatch(RexInputRef.class::isInstance)) {
      return Optional.empty();
    }
    RexProgram below = projection(program.getInputRowType(), splitter.run, rexBuilder);
    if (!CalcRel.canRun(below, rexBuilder)) {
      return Optional.empty();
    }
    return Optional.of(
        new CalcSplit(
            below,
            RexProgram.create(
                below.getOutputRowType(), left, null, program.getOutputRowType(), rexBuilder)));
  }

  private static RexProgram projection(
      RelDataType input, List<RexNode> expressions, RexBuilder rexBuilder) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < expressions.size(); i++) {
      names.add("c" + i);
    }
    return RexProgram.create(input, expressions, null, names, rexBuilder);
  }

  /** Puts references to what is run below in the place of it. */
  private static final class Splitter extends RexShuttle {
    private final RexProgram program;
    private final RexBuilder rexBuilder;
    private final List<RexNode> run = new ArrayList<>();

    /** In what is evaluated only if it is needed. */
    private boolean inLazy;

    Splitter(RexProgram program, RexBuilder rexBuilder) {
      this.program = program;
      this.rexBuilder = rexBuilder;
    }

    @Override
    public RexNode visitInputRef(RexInputRef column) {
      return reference(column);
    }

    @Override
    public RexNode visitCall(RexCall call) {
      if (!inLazy
          && CalcRel.canRun(
              projection(program.getInputRowType(), List.of(call), rexBuilder), rexBuilder)) {
        return reference(call);
      }
      boolean before = inLazy;
      inLazy |= LAZY.contains(call.getKind());
      RexNode left = super.visitCall(call);
      inLazy = before;
      return left;
    }

    private RexNode reference(RexNode expression) {
      int index = run.indexOf(expression);
      if (index < 0) {
        index = run.size();
        run.add(expression);
      }
      return rexBuilder.makeInputRef(expression.getType(), index);
    }
  }
}
