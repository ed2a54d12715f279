// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.columnar;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Calc;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalCalc;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexInputRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexLocalRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexOver;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexProgram;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexProgramBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexShuttle;

/**
 * Takes analytic functions out of a Calc, so that what stands beside them, and what they are of,
 * may be computed in rows where it has no form in columns.
 *
 * <pre>
 * before:  Calc(POWER(RANK() OVER (ORDER BY UPPER(a)), 2))
 * after:   Calc(POWER($1, 2))
 *            Calc($0, RANK() OVER (ORDER BY $1))
 *              Calc(a, UPPER(a))
 * </pre>
 */
final class WindowSplit {

  private final Calc calc;
  private final RexBuilder rexBuilder;
  private final List<RexNode> projects = new ArrayList<>();
  private final Optional<RexNode> condition;
  private final List<RexOver> functions;
  private final List<RexCall> arguments;

  private WindowSplit(Calc calc) {
    this.calc = calc;
    this.rexBuilder = calc.getCluster().getRexBuilder();
    RexProgram program = calc.getProgram();
    for (RexLocalRef project : program.getProjectList()) {
      projects.add(expanded(program, project));
    }
    this.condition =
        Optional.ofNullable(program.getCondition()).map(filter -> expanded(program, filter));
    Set<RexOver> found = new LinkedHashSet<>();
    Set<RexCall> computed = new LinkedHashSet<>();
    Finder finder = new Finder(found, computed);
    projects.forEach(project -> project.accept(finder));
    condition.ifPresent(filter -> filter.accept(finder));
    this.functions = List.copyOf(found);
    this.arguments = List.copyOf(computed);
  }

  private RexNode expanded(RexProgram program, RexLocalRef expression) {
    return NeighbourDefaults.said(program.expandLocalRef(expression), rexBuilder);
  }

  /** The Calc in parts; empty where it has nothing but functions of columns. */
  static Optional<RelNode> of(Calc calc) {
    WindowSplit split = new WindowSplit(calc);
    boolean isPlain =
        split.arguments.isEmpty()
            && split.condition.isEmpty()
            && split.projects.stream()
                .allMatch(project -> project instanceof RexInputRef || project instanceof RexOver);
    return isPlain ? Optional.empty() : Optional.of(split.parts());
  }

  private RelNode parts() {
    RelNode input = calc.getInput();
    RelNode below = arguments.isEmpty() ? input : withColumns(input, arguments, "w");
    List<RexNode> ofColumns = new ArrayList<>();
    for (RexOver function : functions) {
      ofColumns.add(function.accept(new OfColumns(columns(input))));
    }
    RelNode windows = withColumns(below, ofColumns, "f");
    RexShuttle results = new OfResults(columns(below));
    List<RexNode> above = projects.stream().map(project -> project.accept(results)).toList();
    return LogicalCalc.create(
        windows,
        RexProgram.create(
            windows.getRowType(),
            above,
            condition.map(filter -> filter.accept(results)).orElse(null),
            calc.getRowType(),
            rexBuilder));
  }

  private static int columns(RelNode node) {
    return node.getRowType().getFieldCount();
  }

  /** All columns of an input, and some more. */
  private RelNode withColumns(RelNode input, List<? extends RexNode> more, String prefix) {
    RexProgramBuilder program = RexProgramBuilder.forProgram(identity(input), rexBuilder, true);
    RelDataTypeFactory.Builder names = calc.getCluster().getTypeFactory().builder();
    names.addAll(input.getRowType().getFieldList());
    for (int i = 0; i < more.size(); i++) {
      program.addProject(more.get(i), prefix + i);
      names.add(prefix + i, more.get(i).getType());
    }
    RexProgram unnamed = program.getProgram(false);
    return LogicalCalc.create(
        input,
        new RexProgram(
            input.getRowType(),
            unnamed.getExprList(),
            unnamed.getProjectList(),
            null,
            names.uniquify().build()));
  }

  private static RexProgram identity(RelNode input) {
    return RexProgram.createIdentity(input.getRowType());
  }

  /** Finds the functions, and what they are of if it is computed. */
  private static final class Finder extends RexShuttle {

    private final Set<RexOver> functions;
    private final Set<RexCall> arguments;

    private Finder(Set<RexOver> functions, Set<RexCall> arguments) {
      this.functions = functions;
      this.arguments = arguments;
    }

    @Override
    public RexNode visitOver(RexOver over) {
      functions.add(over);
      over.getOperands().forEach(this::addArgument);
      over.getWindow().partitionKeys.forEach(this::addArgument);
      over.getWindow().orderKeys.forEach(key -> addArgument(key.left));
      return over;
    }

    private void addArgument(RexNode argument) {
      if (argument instanceof RexCall call) {
        arguments.add(call);
      }
    }
  }

  /** Puts columns behind those of the input in the place of what functions are of. */
  private final class OfColumns extends RexShuttle {

    private final int first;

    private OfColumns(int first) {
      this.first = first;
    }

    @Override
    public RexNode visitCall(RexCall call) {
      int column = arguments.indexOf(call);
      return column < 0
          ? super.visitCall(call)
          : rexBuilder.makeInputRef(call.getType(), first + column);
    }
  }

  /** Puts columns behind those of the input in the place of functions. */
  private final class OfResults extends RexShuttle {

    private final int first;

    private OfResults(int first) {
      this.first = first;
    }

    @Override
    public RexNode visitOver(RexOver over) {
      return rexBuilder.makeInputRef(over.getType(), first + functions.indexOf(over));
    }
  }
}
