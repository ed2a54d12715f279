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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamLogicalConvention;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.Convention;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Aggregate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Calc;
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
 * <p>Why the rest is not is written to the log.
 */
public final class ColumnarParts {

  private static final Logger LOG = LoggerFactory.getLogger(ColumnarParts.class);

  private final ColumnarPlace place;

  /** Parts that run in such a place. */
  public ColumnarParts(ColumnarPlace place) {
    this.place = place;
  }

  /** The query with its parts replaced. */
  public RelNode replaced(RelNode query) {
    if (place == ColumnarPlace.NOWHERE) {
      return query;
    }
    try {
      RelationConverter converter = RelationConverter.onTables(query.getCluster().getRexBuilder());
      Relation relation = converter.convert(query);
      if (!isLarge(relation)) {
        return query;
      }
      return read(query, new RelationalQuery(relation), converter);
    } catch (UnsupportedExpressionException | InvalidPlanException reason) {
      LOG.info("{} is run in rows: {}", query.getRelTypeName(), reason.getMessage());
    }
    List<RelNode> inputs = new ArrayList<>();
    for (RelNode input : query.getInputs()) {
      inputs.add(replaced(input));
    }
    RelNode inRows =
        inputs.equals(query.getInputs()) ? query : query.copy(query.getTraitSet(), inputs);
    return needsColumns(inRows) ? onRows(inRows) : inRows;
  }

  private RelNode read(RelNode part, RelationalQuery query, RelationConverter converter) {
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
          Fragmenter.of(query, converter.broadcast()::contains, collections.keySet()),
          tables,
          List.copyOf(collections.keySet()),
          collections.values().stream().map(this::replaced).toList(),
          part.getRowType(),
          rows);
    }
    Map<String, QueryTable> local = new HashMap<>();
    tables.forEach(
        (name, table) ->
            local.put(name, QueryTable.of(table.localFiles(), table.format(), table.columns())));
    return new ColumnarRel(part.getCluster(), query, local, part.getRowType(), rows);
  }

  /** Whether no operator on rows can do what a part does. */
  private static boolean needsColumns(RelNode part) {
    if (part instanceof Aggregate aggregate) {
      return aggregate.getGroupType() != Aggregate.Group.SIMPLE
          || aggregate.getAggCallList().stream()
              .anyMatch(call -> call.isDistinct() || call.hasFilter() || call.distinctKeys != null);
    }
    return part instanceof Calc calc && calc.getProgram().containsAggs();
  }

  private static RelNode onRows(RelNode part) {
    RelNode input = part.getInput(0);
    try {
      Relation relation =
          RelationConverter.onRows(part.getCluster().getRexBuilder(), input).convert(part);
      return new ColumnsOfRowsRel(
          part.getTraitSet(),
          input,
          new RelationalQuery(relation),
          part instanceof Aggregate aggregate
              && aggregate.getGroupSets().stream().anyMatch(ImmutableBitSet::isEmpty),
          part.getRowType().getFieldList());
    } catch (UnsupportedExpressionException | InvalidPlanException reason) {
      LOG.info("{} cannot be run in columns: {}", part.getRelTypeName(), reason.getMessage());
      return part;
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
