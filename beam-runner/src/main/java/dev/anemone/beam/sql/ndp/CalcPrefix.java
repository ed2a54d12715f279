// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import dev.anemone.beam.sql.rel.Selectivity;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.ExpressionTyper;
import dev.anemone.ir.relational.Failures;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.Filter;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.RelationalOperator.Project;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptCluster;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Calc;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalCalc;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexInputRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexLocalRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexProgram;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexUtil;

/**
 * A Calc on a table as a read with a filter and a projection. Conditions that cannot be converted,
 * and expressions of the result, stay in a Calc above it, which gets the columns that they need.
 */
final class CalcPrefix {

  private final Calc calc;
  private final NdpTable table;
  private final RelOptCluster cluster;
  private final ExpressionConverter converter;
  private final Failures failures;
  private final List<RexNode> left = new ArrayList<>();
  private final List<RexNode> projects = new ArrayList<>();

  /** What the read gives: expressions of the planner, and what they are converted to. */
  private final Map<RexNode, Expression> given = new LinkedHashMap<>();

  private final Map<RexNode, Expression> conditions = new LinkedHashMap<>();

  CalcPrefix(Calc calc, NdpTable table) {
    this.calc = calc;
    this.table = table;
    this.cluster = calc.getCluster();
    this.converter = new ExpressionConverter(table.columns(), cluster.getRexBuilder());
    this.failures = new Failures(new ExpressionTyper(table.columns()));
  }

  /** The read, with a Calc on it where something is left. */
  RelNode pushed() {
    RexProgram program = calc.getProgram();
    if (program.getCondition() != null) {
      for (RexNode conjunct :
          RelOptUtil.conjunctions(program.expandLocalRef(program.getCondition()))) {
        divide(conjunct);
      }
      if (!left.isEmpty()) {
        leaveWhatMayFail();
      }
    }
    for (RexLocalRef project : program.getProjectList()) {
      projects.add(program.expandLocalRef(project));
    }
    if (left.isEmpty() && projects.stream().allMatch(p -> converter.convert(p).isPresent())) {
      return whole();
    }
    return divided();
  }

  private void divide(RexNode conjunct) {
    converter
        .convert(conjunct)
        .ifPresentOrElse(
            converted -> conditions.put(conjunct, converted), () -> left.add(conjunct));
  }

  /** What may fail is not computed of rows that a condition above the read leaves out. */
  private void leaveWhatMayFail() {
    List<RexNode> fallible =
        conditions.keySet().stream()
            .filter(conjunct -> failures.mayFail(conditions.get(conjunct)))
            .toList();
    left.addAll(fallible);
    fallible.forEach(conditions::remove);
  }

  /** A read that gives exactly what the Calc gives. */
  private RelNode whole() {
    List<NamedExpression> columns = new ArrayList<>();
    for (int i = 0; i < projects.size(); i++) {
      columns.add(
          new NamedExpression(
              calc.getRowType().getFieldNames().get(i),
              converter.convert(projects.get(i)).orElseThrow()));
    }
    return read(columns, calc.getRowType());
  }

  private RelNode divided() {
    for (RexNode project : projects) {
      Optional<Expression> converted = converter.convert(project);
      if (converted.isPresent() && (left.isEmpty() || !failures.mayFail(converted.get()))) {
        given.put(project, converted.get());
      } else {
        addColumns(project);
      }
    }
    left.forEach(this::addColumns);
    if (given.isEmpty()) {
      addColumn(table.columns().fields().indexOf(narrowest()));
    }
    List<NamedExpression> columns = new ArrayList<>();
    var types = cluster.getTypeFactory().builder();
    List<RexNode> keys = new ArrayList<>(given.keySet());
    for (int i = 0; i < keys.size(); i++) {
      columns.add(new NamedExpression("c" + i, given.get(keys.get(i))));
      types.add("c" + i, keys.get(i).getType());
    }
    return above(read(columns, types.build()), keys);
  }

  private void addColumns(RexNode node) {
    RelOptUtil.InputFinder.bits(node).forEach(this::addColumn);
  }

  private void addColumn(int index) {
    RexInputRef ref = RexInputRef.of(index, calc.getInput().getRowType());
    converter.convert(ref).ifPresent(converted -> given.put(ref, converted));
  }

  /** What is left, on the columns of the read. */
  private RelNode above(RelNode read, List<RexNode> keys) {
    RexBuilder rexBuilder = cluster.getRexBuilder();
    RexShuttle toRead =
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef ref) {
            return rexBuilder.makeInputRef(read, keys.indexOf(ref));
          }
        };
    List<RexNode> results = new ArrayList<>();
    for (RexNode project : projects) {
      int index = keys.indexOf(project);
      results.add(index >= 0 ? rexBuilder.makeInputRef(read, index) : project.accept(toRead));
    }
    RexNode condition =
        left.isEmpty() ? null : RexUtil.composeConjunction(rexBuilder, left).accept(toRead);
    return LogicalCalc.create(
        read,
        RexProgram.create(read.getRowType(), results, condition, calc.getRowType(), rexBuilder));
  }

  private RelNode read(List<NamedExpression> columns, RelDataType rowType) {
    List<RelationalOperator> operators = new ArrayList<>();
    List<Expression> used = new ArrayList<>(conditions.values());
    columns.forEach(column -> used.add(column.expression()));
    RowType scan = scan(used);
    if (!conditions.isEmpty()) {
      List<Expression> all = List.copyOf(conditions.values());
      operators.add(new Filter(all.size() == 1 ? all.get(0) : new Expression.And(all)));
    }
    Project project = new Project(columns);
    if (!project.outputOf(scan).equals(scan) || crossesWithMore(scan)) {
      operators.add(project);
    }
    double selectivity =
        conditions.keySet().stream().mapToDouble(Selectivity::of).reduce(1, (x, y) -> x * y);
    double rows = calc.getInput().estimateRowCount(cluster.getMetadataQuery()) * selectivity;
    return new NdpRel(
        cluster, table, new RelationalPlan(scan, operators), rowType, Math.max(1, rows));
  }

  /**
   * Whether a reader gets more than the scan when nothing is pushed: a split of text comes with all
   * columns, so that to choose some is work that can be done beside the data. Of Parquet each
   * column can be fetched by itself, encoded, which is smaller than as an answer.
   */
  private boolean crossesWithMore(RowType scan) {
    return table.isText() && scan.fields().size() < table.columns().fields().size();
  }

  /** The columns that expressions need, in the table's order; at least one. */
  private RowType scan(Collection<Expression> used) {
    Set<String> names = new LinkedHashSet<>();
    used.forEach(expression -> addNames(expression, names));
    List<Field> fields =
        table.columns().fields().stream().filter(f -> names.contains(f.name())).toList();
    return new RowType(fields.isEmpty() ? List.of(narrowest()) : fields);
  }

  private Field narrowest() {
    return table.columns().fields().stream()
        .filter(field -> field.type().type() != SimpleType.STRING)
        .findFirst()
        .orElse(table.columns().fields().get(0));
  }

  private static void addNames(Expression expression, Set<String> names) {
    if (expression instanceof Expression.Column column) {
      names.add(column.name());
    }
    expression.children().forEach(child -> addNames(child, names));
  }
}
