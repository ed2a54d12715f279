// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.columnar;

import dev.anemone.beam.sql.ndp.SqlRows;
import dev.anemone.beam.sql.ndp.UnsupportedExpressionException;
import dev.anemone.beam.sql.row.DecimalDigits;
import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamIOSourceRel;
import org.apache.beam.sdk.extensions.sql.impl.schema.BeamPCollectionTable;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Calc;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalCalc;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexInputRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexProgram;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.ImmutableBitSet;

/**
 * A collection that a query in columns reads. What a Calc on it leaves out is left out before rows
 * become batches; its expressions are for the engine.
 *
 * <pre>
 * before:  Calc(a * b; a > 3; scan of a, b, c)
 * after:   rows:    Calc(a, b; a > 3; scan of a, b, c)
 *          columns: project a * b
 * </pre>
 *
 * @param rows what makes them
 * @param fields of the rows
 * @param projects the expressions, on the columns of the rows
 */
record CollectionScan(RelNode rows, List<Field> fields, List<RexNode> projects) {

  /** The collection that a node is. Tables of other types tell sizes, and may read less. */
  private static Optional<BeamIOSourceRel> source(RelNode node) {
    return node instanceof BeamIOSourceRel source
            && source.getBeamSqlTable() instanceof BeamPCollectionTable<?>
        ? Optional.of(source)
        : Optional.empty();
  }

  /**
   * The collection that a Calc is on, if it is on one.
   *
   * @throws UnsupportedExpressionException when a column that it needs cannot be a batch's
   */
  static Optional<CollectionScan> below(Calc calc) throws UnsupportedExpressionException {
    Optional<BeamIOSourceRel> source = source(calc.getInput());
    if (source.isEmpty() || calc.getProgram().containsAggs()) {
      return Optional.empty();
    }
    RexProgram program = calc.getProgram();
    List<RexNode> projects =
        program.getProjectList().stream().map(program::expandLocalRef).toList();
    ImmutableBitSet used = ImmutableBitSet.of();
    for (RexNode project : projects) {
      used = used.union(RelOptUtil.InputFinder.bits(project));
    }
    List<Integer> columns = used.isEmpty() ? List.of(0) : used.asList();
    RexBuilder rexBuilder = calc.getCluster().getRexBuilder();
    List<RexNode> kept = new ArrayList<>();
    List<String> names = new ArrayList<>();
    List<Field> fields = new ArrayList<>();
    for (int column : columns) {
      kept.add(rexBuilder.makeInputRef(source.get(), column));
      names.add(source.get().getRowType().getFieldNames().get(column));
      fields.add(field(source.get(), column));
    }
    RexNode condition =
        program.getCondition() == null ? null : program.expandLocalRef(program.getCondition());
    var builder = calc.getCluster().getTypeFactory().builder();
    for (int i = 0; i < kept.size(); i++) {
      builder.add(names.get(i), kept.get(i).getType());
    }
    RelNode rows =
        LogicalCalc.create(
            source.get(),
            RexProgram.create(
                source.get().getRowType(), kept, condition, builder.build(), rexBuilder));
    RexShuttle toRows =
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef ref) {
            return rexBuilder.makeInputRef(rows, columns.indexOf(ref.getIndex()));
          }
        };
    return Optional.of(
        new CollectionScan(
            rows, fields, projects.stream().map(project -> project.accept(toRows)).toList()));
  }

  /** All columns of a node that is a collection, if all of them can be those of a batch. */
  static Optional<List<Field>> all(BeamIOSourceRel source) {
    if (source(source).isEmpty()) {
      return Optional.empty();
    }
    List<Field> fields = new ArrayList<>();
    try {
      for (int column = 0; column < source.getRowType().getFieldCount(); column++) {
        fields.add(field(source, column));
      }
    } catch (UnsupportedExpressionException otherType) {
      return Optional.empty();
    }
    return Optional.of(fields);
  }

  private static Field field(BeamIOSourceRel source, int column)
      throws UnsupportedExpressionException {
    var field = source.getRowType().getFieldList().get(column);
    DataType type = SqlRows.simple(field.getType());
    if (type == null) {
      type =
          DecimalDigits.of(source.getBeamSqlTable().getSchema().getField(column))
              .orElseThrow(() -> undeclared(field.getName()));
    }
    return Field.nullable(field.getName(), type);
  }

  /** Decimals of rows have any number of digits. */
  static UnsupportedExpressionException undeclared(String column) {
    return new UnsupportedExpressionException(
        "the decimals " + column + ", whose digits rows do not declare");
  }
}
