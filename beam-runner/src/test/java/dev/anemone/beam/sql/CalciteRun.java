// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.beam.sdk.extensions.sql.impl.JdbcConnection;
import org.apache.beam.sdk.extensions.sql.impl.JdbcDriver;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamRuleSets;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamIOSourceRel;
import org.apache.beam.sdk.extensions.sql.meta.provider.ReadOnlyTableProvider;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.vendor.calcite.v1_40_0.com.google.common.collect.ImmutableList;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.DataContext;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.DataContexts;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.adapter.enumerable.EnumerableCalc;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.adapter.enumerable.EnumerableInterpretable;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.adapter.enumerable.EnumerableInterpreter;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.adapter.enumerable.EnumerableLimit;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.adapter.enumerable.EnumerableNestedLoopJoin;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.adapter.enumerable.EnumerableRules;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.adapter.enumerable.EnumerableSort;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.interpreter.Bindables.BindableTableScan;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.linq4j.Enumerable;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.linq4j.Linq4j;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.hep.HepPlanner;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.hep.HepProgram;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.prepare.RelOptTableImpl;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelRoot;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.convert.ConverterRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Filter;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Join;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Project;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Sort;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.TableScan;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalIntersect;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalMinus;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalTableScan;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalValues;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalWindow;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.rules.CoreRules;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexProgramBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.runtime.Bindable;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.schema.ScannableTable;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.schema.impl.AbstractTable;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql2rel.ConvertToChecked;
import org.joda.time.ReadableInstant;

/**
 * Runs queries with the engine that Calcite has of its own, in this thread: parsed and validated as
 * all are, but neither optimized nor run by anything of ours. Whole numbers that overflow are an
 * error, and comparisons of doubles are Java's.
 */
final class CalciteRun {

  private static final List<RelOptRule> LOGICAL =
      List.of(
          CoreRules.FILTER_SUB_QUERY_TO_CORRELATE,
          CoreRules.PROJECT_SUB_QUERY_TO_CORRELATE,
          CoreRules.JOIN_SUB_QUERY_TO_CORRELATE,
          CoreRules.PROJECT_TO_LOGICAL_PROJECT_AND_WINDOW,
          CoreRules.AGGREGATE_EXPAND_DISTINCT_AGGREGATES,
          CoreRules.AGGREGATE_REDUCE_FUNCTIONS);

  private static final Map<Class<? extends RelNode>, ConverterRule> CONVERTERS =
      Map.of(
          LogicalAggregate.class, EnumerableRules.ENUMERABLE_AGGREGATE_RULE,
          LogicalUnion.class, EnumerableRules.ENUMERABLE_UNION_RULE,
          LogicalIntersect.class, EnumerableRules.ENUMERABLE_INTERSECT_RULE,
          LogicalMinus.class, EnumerableRules.ENUMERABLE_MINUS_RULE,
          LogicalValues.class, EnumerableRules.ENUMERABLE_VALUES_RULE,
          LogicalWindow.class, EnumerableRules.ENUMERABLE_WINDOW_RULE);

  private final Map<String, MemoryTable> tables;
  private final AnemoneQueryPlanner planner;

  CalciteRun(Map<String, MemoryTable> tables) {
    this.tables = tables;
    JdbcConnection connection =
        JdbcDriver.connect(
            new ReadOnlyTableProvider("test", Map.copyOf(tables)), PipelineOptionsFactory.create());
    this.planner =
        (AnemoneQueryPlanner)
            AnemoneQueryPlanner.FACTORY.createPlanner(connection, BeamRuleSets.getRuleSets());
  }

  /** The rows of a query, with dates and times as Java has them. */
  List<List<Object>> run(String query) throws Exception {
    RelRoot root = planner.logical(query);
    RelNode rel = enumerable(root.project());
    Map<String, Object> parameters = new HashMap<>();
    Bindable<?> bindable =
        EnumerableInterpretable.toBindable(
            parameters, null, (EnumerableRel) rel, EnumerableRel.Prefer.ARRAY);
    List<RelDataType> types =
        rel.getRowType().getFieldList().stream().map(f -> f.getType()).toList();
    List<List<Object>> rows = new ArrayList<>();
    DataContext context = DataContexts.of(parameters);
    for (Object row : bindable.bind(context)) {
      Object[] values =
          types.size() == 1 && !(row instanceof Object[]) ? new Object[] {row} : (Object[]) row;
      List<Object> converted = new ArrayList<>();
      for (int i = 0; i < values.length; i++) {
        converted.add(values[i] == null ? null : outer(values[i], types.get(i)));
      }
      rows.add(converted);
    }
    return rows;
  }

  private RelNode enumerable(RelNode query) {
    RelNode scanned =
        query.accept(
            new RelHomogeneousShuttle() {
              @Override
              public RelNode visit(TableScan scan) {
                return scan instanceof BeamIOSourceRel ? scanned(scan) : scan;
              }
            });
    HepProgram program = HepProgram.builder().addRuleCollection(LOGICAL).build();
    HepPlanner rules = new HepPlanner(program);
    rules.setRoot(scanned.accept(new ExactSums()));
    RelNode checked =
        rules.findBestExp().accept(new ConvertToChecked(query.getCluster().getRexBuilder()));
    return physical(checked);
  }

  /** Each operator by itself, as it stands there: no rule chooses another. */
  private static RelNode physical(RelNode node) {
    List<RelNode> inputs = node.getInputs().stream().map(CalciteRun::physical).toList();
    RelNode first = inputs.isEmpty() ? null : inputs.get(0);
    if (node instanceof TableScan scan) {
      RelNode bindable = BindableTableScan.create(scan.getCluster(), scan.getTable());
      return new EnumerableInterpreter(
          scan.getCluster(),
          scan.getTraitSet().replace(EnumerableConvention.INSTANCE),
          bindable,
          1);
    } else if (node instanceof Filter filter) {
      RexProgramBuilder program = programOf(first);
      program.addIdentity();
      program.addCondition(filter.getCondition());
      return EnumerableCalc.create(first, program.getProgram());
    } else if (node instanceof Project project) {
      RexProgramBuilder program = programOf(first);
      project.getNamedProjects().forEach(item -> program.addProject(item.left, item.right));
      return EnumerableCalc.create(first, program.getProgram());
    } else if (node instanceof Join join) {
      return EnumerableNestedLoopJoin.create(
          first, inputs.get(1), join.getCondition(), Set.of(), join.getJoinType());
    } else if (node instanceof Sort sort) {
      RelNode ordered =
          sort.getCollation().getFieldCollations().isEmpty()
              ? first
              : EnumerableSort.create(first, sort.getCollation(), null, null);
      return sort.offset == null && sort.fetch == null
          ? ordered
          : EnumerableLimit.create(ordered, sort.offset, sort.fetch);
    }
    ConverterRule rule = CONVERTERS.get(node.getClass());
    if (rule == null) {
      throw new UnsupportedOperationException(node.toString());
    }
    return rule.convert(node.copy(node.getTraitSet(), inputs));
  }

  private static RexProgramBuilder programOf(RelNode input) {
    return new RexProgramBuilder(input.getRowType(), input.getCluster().getRexBuilder());
  }

  private RelNode scanned(TableScan scan) {
    List<String> name = scan.getTable().getQualifiedName();
    MemoryTable table = tables.get(name.get(name.size() - 1));
    return LogicalTableScan.create(
        scan.getCluster(),
        RelOptTableImpl.create(
            null,
            scan.getRowType(),
            new RowsTable(table.rows(), scan.getRowType()),
            ImmutableList.copyOf(name)),
        List.of());
  }

  /** A value of Calcite as one of Java. */
  private static Object outer(Object value, RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case DATE -> LocalDate.ofEpochDay(((Number) value).longValue());
      case TIMESTAMP -> Instant.ofEpochMilli(((Number) value).longValue());
      case DECIMAL -> value instanceof BigDecimal ? value : new BigDecimal(value.toString());
      default -> value;
    };
  }

  /** The rows of a table as Calcite has them. */
  private static final class RowsTable extends AbstractTable implements ScannableTable {
    private final List<Row> rows;
    private final RelDataType type;

    RowsTable(List<Row> rows, RelDataType type) {
      this.rows = rows;
      this.type = type;
    }

    @Override
    public RelDataType getRowType(RelDataTypeFactory factory) {
      return type;
    }

    @Override
    public Enumerable<Object[]> scan(DataContext root) {
      return Linq4j.asEnumerable(
          rows.stream()
              .map(row -> row.getValues().stream().map(RowsTable::inner).toArray())
              .toList());
    }

    private static Object inner(Object value) {
      if (value instanceof LocalDate date) {
        return (int) date.toEpochDay();
      }
      return value instanceof ReadableInstant instant ? (Object) instant.getMillis() : value;
    }
  }
}
