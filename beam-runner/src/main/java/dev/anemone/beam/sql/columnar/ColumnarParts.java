// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.columnar;

import dev.anemone.beam.columnar.QueryTable;
import dev.anemone.beam.sql.ndp.NdpTable;
import dev.anemone.beam.sql.ndp.UnsupportedExpressionException;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.exchange.Fragmenter;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamIOSourceRel;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamLogicalConvention;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.Convention;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Aggregate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Calc;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeName;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.ImmutableBitSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a {@link ColumnarRel} in the place of each largest part of a query that can be said in the
 * relational IR, if there is more to do than to filter and project one table: that is better read
 * by many tasks.
 *
 * <pre>
 * before:  Calc(my_function(x); Join(Aggregate(scan a), scan b))
 * after:   Calc(my_function(x); Columnar(inner join(aggregate(input a), input b)))
 * </pre>
 *
 * <p>A side of a join that cannot be said so is rows that others make, which become batches: what
 * is joined with them stays in columns.
 *
 * <p>Where one task cannot run all of a part, because there are several processes or a table's
 * files are not on this machine, or rows that others make belong to it, it is a {@link
 * DistributedRel}.
 *
 * <p>What cannot be done in rows at all, such as analytic functions, is run in columns on rows that
 * are gathered for it, a {@link ColumnsOfRowsRel}.
 *
 * <p>Why the rest is not is written to the log, and told by {@link #reasons}. Not thread-safe: for
 * one query.
 */
public final class ColumnarParts {

  private static final Logger LOG = LoggerFactory.getLogger(ColumnarParts.class);

  private final ColumnarPlace place;
  private final Optional<UnaryOperator<RelNode>> physical;
  private final Set<String> reasons = new LinkedHashSet<>();

  /**
   * Parts that run in such a place.
   *
   * @param physical makes a physical plan of one for rows, whose collections may have windows
   */
  public ColumnarParts(ColumnarPlace place, UnaryOperator<RelNode> physical) {
    this(place, Optional.of(physical));
  }

  private ColumnarParts(ColumnarPlace place, Optional<UnaryOperator<RelNode>> physical) {
    this.place = place;
    this.physical = physical;
  }

  /** What kept parts of the query in rows, from the result down, each once. */
  public List<String> reasons() {
    return List.copyOf(reasons);
  }

  /** The query with its parts replaced. */
  public RelNode replaced(RelNode query) {
    if (place == ColumnarPlace.NOWHERE) {
      return query;
    }
    try {
      RexBuilder rexBuilder = query.getCluster().getRexBuilder();
      RelationConverter converter =
          physical.isPresent()
              ? RelationConverter.onCollections(rexBuilder)
              : RelationConverter.onTables(rexBuilder);
      Relation relation = converter.convert(query);
      if (!isLarge(relation)) {
        return query;
      }
      if (converter.tables().isEmpty() && !converter.collections().isEmpty()) {
        requireWorth(relation, converter);
      }
      return read(query, new RelationalQuery(relation), converter);
    } catch (UnsupportedExpressionException | InvalidPlanException reason) {
      reasons.add(reason.getMessage());
      LOG.info("{} is run in rows: {}", query.getRelTypeName(), reason.getMessage());
    }
    if (query instanceof Calc calc
        && needsColumns(calc)
        && (hasDecimals(calc.getInput()) || onRows(calc).isEmpty())) {
      Optional<RelNode> parts = WindowSplit.of(calc);
      if (parts.isPresent()) {
        return replaced(parts.get());
      }
    }
    List<RelNode> inputs = new ArrayList<>();
    for (RelNode input : query.getInputs()) {
      inputs.add(replaced(input));
    }
    RelNode inRows =
        inputs.equals(query.getInputs()) ? query : query.copy(query.getTraitSet(), inputs);
    return needsColumns(inRows) ? onRows(inRows).orElse(inRows) : inRows;
  }

  private RelNode read(RelNode part, RelationalQuery query, RelationConverter converter)
      throws UnsupportedExpressionException {
    reasons.addAll(converter.reasons());
    double rows = part.estimateRowCount(part.getCluster().getMetadataQuery());
    Map<String, NdpTable> tables = new HashMap<>(converter.tables());
    tables.keySet().retainAll(query.inputs().keySet());
    Map<String, RelNode> collections = new TreeMap<>(converter.collections());
    collections.keySet().retainAll(query.inputs().keySet());
    if (place == ColumnarPlace.TASKS
        || !collections.isEmpty()
        || tables.values().stream().anyMatch(table -> table.localFiles().isEmpty())) {
      return new DistributedRel(
          part.getCluster(),
          part.getCluster()
              .traitSetOf(collections.isEmpty() ? BeamLogicalConvention.INSTANCE : Convention.NONE),
          Fragmenter.of(query, converter.sideSizes(), collections.keySet()),
          tables,
          List.copyOf(collections.keySet()),
          collections.values().stream().map(this::replaced).toList(),
          collections.isEmpty()
              ? Optional.empty()
              : physical.map(rowsOf -> inWindows(part, rowsOf)),
          part.getRowType(),
          rows);
    }
    return local(part, rows);
  }

  /** A part whose collections are grouped and joined in rows, window by window. */
  private RelNode inWindows(RelNode part, UnaryOperator<RelNode> physical) {
    return physical.apply(new ColumnarParts(place, Optional.empty()).replaced(part));
  }

  /**
   * Rows of collections alone have to become batches and rows again. That is worth it where an
   * aggregate leaves few rows of many that were joined, and where rows can do it in one task only.
   */
  private static void requireWorth(Relation relation, RelationConverter converter)
      throws UnsupportedExpressionException {
    if (!isWorth(relation)) {
      RelNode node = converter.collections().values().iterator().next();
      while (!(node instanceof BeamIOSourceRel)) {
        node = node.getInput(0);
      }
      throw RelationConverter.notInSplits((BeamIOSourceRel) node);
    }
  }

  private static boolean isWorth(Relation relation) {
    boolean aggregates =
        relation instanceof Relation.Step step
            && step.operator() instanceof RelationalOperator.Aggregate;
    return relation instanceof Relation.Grouped
        || relation instanceof Relation.Windowed
        || (aggregates && hasJoin(relation))
        || relation.inputs().stream().anyMatch(ColumnarParts::isWorth);
  }

  private static boolean hasJoin(Relation relation) {
    return relation instanceof Relation.Join
        || relation.inputs().stream().anyMatch(ColumnarParts::hasJoin);
  }

  private static RelNode local(RelNode part, double rows) throws UnsupportedExpressionException {
    RelationConverter converter = RelationConverter.onTables(part.getCluster().getRexBuilder());
    RelationalQuery query =
        new RelationalQuery(converter.convert(part.accept(new KeysBelowAggregates())));
    Map<String, QueryTable> tables = new HashMap<>();
    for (String name : query.inputs().keySet()) {
      NdpTable table = converter.tables().get(name);
      tables.put(name, QueryTable.of(table.localFiles(), table.format(), table.columns()));
    }
    return new ColumnarRel(part.getCluster(), query, tables, part.getRowType(), rows);
  }

  /** Whether no operator on rows can do what a part does. */
  private static boolean needsColumns(RelNode part) {
    if (part instanceof Aggregate aggregate) {
      return AggregateConverter.needsColumns(aggregate);
    }
    return part instanceof Calc calc && calc.getProgram().containsAggs();
  }

  /** Whether types of expressions are not known before the rows are there. */
  private static boolean hasDecimals(RelNode rows) {
    return rows.getRowType().getFieldList().stream()
        .anyMatch(field -> field.getType().getSqlTypeName() == SqlTypeName.DECIMAL);
  }

  private Optional<RelNode> onRows(RelNode part) {
    RelNode input = part.getInput(0);
    try {
      Relation relation =
          RelationConverter.onRows(part.getCluster().getRexBuilder(), input).convert(part);
      return Optional.of(
          new ColumnsOfRowsRel(
              part.getTraitSet(),
              input,
              new RelationalQuery(relation),
              part instanceof Aggregate aggregate
                  && aggregate.getGroupSets().stream().anyMatch(ImmutableBitSet::isEmpty),
              part.getRowType().getFieldList()));
    } catch (UnsupportedExpressionException | InvalidPlanException reason) {
      reasons.add(reason.getMessage());
      LOG.info("{} cannot be run in columns: {}", part.getRelTypeName(), reason.getMessage());
      return Optional.empty();
    }
  }

  private static boolean isLarge(Relation relation) {
    boolean isPlain =
        relation instanceof Relation.Step step
            && !(step.operator() instanceof RelationalOperator.Aggregate);
    return isPlain
        ? isLarge(relation.inputs().get(0))
        : !(relation instanceof Relation.Input || relation instanceof Relation.Values);
  }
}
