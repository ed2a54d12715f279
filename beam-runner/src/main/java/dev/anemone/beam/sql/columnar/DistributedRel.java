// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.columnar;

import dev.anemone.beam.columnar.DistributedRead;
import dev.anemone.beam.ndp.BatchForm;
import dev.anemone.beam.ndp.RowForm;
import dev.anemone.beam.sql.ndp.NdpTable;
import dev.anemone.beam.sql.rel.BatchRel;
import dev.anemone.beam.sql.row.CompactRowCoder;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.exchange.DistributedQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamCostModel;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamRelMetadataQuery;
import org.apache.beam.sdk.extensions.sql.impl.planner.NodeStats;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamRelNode;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamSqlRelUtils;
import org.apache.beam.sdk.extensions.sql.impl.utils.CalciteUtils;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptCluster;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptCost;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptPlanner;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelTraitSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.AbstractRelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelWriter;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;

/**
 * A part of a query that the columnar engine runs in fragments. Its inputs are what the part reads
 * beside tables: rows that others make. It is logical without a convention, and physical with
 * Beam's, which {@link DistributedRule} gives it.
 */
final class DistributedRel extends AbstractRelNode implements BatchRel {

  private final DistributedQuery query;
  private final Map<String, NdpTable> tables;
  private final List<String> collections;
  private final List<RelNode> inputs;
  private final Optional<RelNode> inWindows;
  private final double rows;

  /**
   * A part.
   *
   * @param tables those of the query's inputs, by name
   * @param collections names of its other inputs
   * @param inputs these, in the same order
   * @param inWindows what runs in its place where one of these has windows, which this has not
   * @param rowType of the rows, column by column what the query gives
   * @param rows estimated
   */
  DistributedRel(
      RelOptCluster cluster,
      RelTraitSet traits,
      DistributedQuery query,
      Map<String, NdpTable> tables,
      List<String> collections,
      List<RelNode> inputs,
      Optional<RelNode> inWindows,
      RelDataType rowType,
      double rows) {
    super(cluster, traits);
    this.query = query;
    this.tables = Map.copyOf(tables);
    this.collections = List.copyOf(collections);
    this.inputs = new ArrayList<>(inputs);
    this.inWindows = inWindows;
    this.rowType = rowType;
    this.rows = rows;
  }

  @Override
  public List<RelNode> getInputs() {
    return List.copyOf(inputs);
  }

  @Override
  public void replaceInput(int ordinal, RelNode input) {
    inputs.set(ordinal, input);
    recomputeDigest();
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> others) {
    return new DistributedRel(
        getCluster(), traits, query, tables, collections, others, inWindows, rowType, rows);
  }

  @Override
  public double estimateRowCount(RelMetadataQuery mq) {
    return rows;
  }

  @Override
  public NodeStats estimateNodeStats(BeamRelMetadataQuery mq) {
    return NodeStats.create(rows, 0, rows);
  }

  @Override
  public RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery mq) {
    return planner.getCostFactory().makeCost(rows, rows, rows);
  }

  @Override
  public BeamCostModel beamComputeSelfCost(RelOptPlanner planner, BeamRelMetadataQuery mq) {
    return BeamCostModel.FACTORY.makeCost(rows, 0);
  }

  @Override
  public PCollection.IsBounded isBounded() {
    return PCollection.IsBounded.BOUNDED;
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    super.explainTerms(writer);
    for (int i = 0; i < inputs.size(); i++) {
      writer.input(collections.get(i), inputs.get(i));
    }
    return writer
        .item("fragments", query.text().replace("\n", "; "))
        .item("as", rowType.getFieldNames());
  }

  @Override
  public PTransform<PCollectionList<Row>, PCollection<Row>> buildPTransform() {
    Schema schema = CalciteUtils.toSchema(rowType);
    PTransform<PCollectionList<Row>, PCollection<Row>> global =
        batches(new RowForm(schema), CompactRowCoder.of(schema));
    return inWindows.isEmpty() ? global : new Windowed(global, (BeamRelNode) inWindows.get());
  }

  /** Whether batches, which have no windows, are all that it can give. */
  @Override
  public boolean isAlwaysOfBatches() {
    return inWindows.isEmpty();
  }

  private static final class Windowed extends PTransform<PCollectionList<Row>, PCollection<Row>> {
    private static final long serialVersionUID = 1;

    private final PTransform<PCollectionList<Row>, PCollection<Row>> global;
    private final transient BeamRelNode inWindows;

    Windowed(PTransform<PCollectionList<Row>, PCollection<Row>> global, BeamRelNode inWindows) {
      this.global = global;
      this.inWindows = inWindows;
    }

    @Override
    public PCollection<Row> expand(PCollectionList<Row> rows) {
      boolean hasWindows =
          rows.getAll().stream()
              .anyMatch(
                  each -> !(each.getWindowingStrategy().getWindowFn() instanceof GlobalWindows));
      return hasWindows
          ? BeamSqlRelUtils.toPCollection(rows.getPipeline(), inWindows)
          : rows.apply("In columns", global);
    }
  }

  @Override
  public RowType batchRow() {
    return query.fragments().stream()
        .filter(fragment -> fragment.output().isEmpty())
        .findFirst()
        .orElseThrow()
        .query()
        .row();
  }

  @Override
  public <T> PTransform<PCollectionList<Row>, PCollection<T>> batches(
      BatchForm<T> form, Coder<T> coder) {
    return new Transform<>(new DistributedRead<>(query, new Tables(), collections, form, coder));
  }

  private static final class Transform<T> extends PTransform<PCollectionList<Row>, PCollection<T>> {
    private static final long serialVersionUID = 1;

    private final DistributedRead<T> read;

    Transform(DistributedRead<T> read) {
      this.read = read;
    }

    @Override
    public PCollection<T> expand(PCollectionList<Row> rows) {
      return rows.apply("Columns", read);
    }
  }

  private final class Tables implements DistributedRead.TableReads {
    @Override
    public <T> PTransform<PBegin, PCollection<T>> of(
        String table, RelationalPlan plan, BatchForm<T> form, Coder<T> coder) {
      return tables.get(table).read(plan, form, coder);
    }
  }
}
