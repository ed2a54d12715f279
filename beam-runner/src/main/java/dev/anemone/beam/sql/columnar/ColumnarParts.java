// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.columnar;

import dev.anemone.beam.sql.ndp.NdpTable;
import dev.anemone.beam.sql.ndp.UnsupportedExpressionException;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamIOSourceRel;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
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
 * <p>Why the rest is not is written to the log.
 */
public final class ColumnarParts {

  private static final Logger LOG = LoggerFactory.getLogger(ColumnarParts.class);

  private ColumnarParts() {}

  /** The query with its parts replaced. */
  public static RelNode replaced(RelNode query) {
    try {
      RelationConverter converter = new RelationConverter(query.getCluster().getRexBuilder());
      Relation relation = converter.convert(query);
      if (!isLarge(relation)) {
        return query;
      }
      return new ColumnarRel(
          query.getCluster(),
          new RelationalQuery(relation),
          converter.tables(),
          query.getRowType(),
          query.estimateRowCount(query.getCluster().getMetadataQuery()));
    } catch (UnsupportedExpressionException | InvalidPlanException reason) {
      LOG.info("{} is run in rows: {}", query.getRelTypeName(), reason.getMessage());
    }
    List<RelNode> inputs = new ArrayList<>();
    for (RelNode input : query.getInputs()) {
      inputs.add(replaced(input));
    }
    return inputs.equals(query.getInputs()) ? query : query.copy(query.getTraitSet(), inputs);
  }

  /** Whether a table can be read in columns. */
  public static boolean canRead(BeamIOSourceRel source) {
    return source.getBeamSqlTable() instanceof NdpTable table && !table.localFiles().isEmpty();
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
