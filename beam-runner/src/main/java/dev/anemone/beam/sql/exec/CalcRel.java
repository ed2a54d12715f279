// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.exec;

import dev.anemone.beam.sql.codegen.CalcTranslator;
import dev.anemone.beam.sql.codegen.CheckedArithmetic;
import dev.anemone.beam.sql.codegen.RowFunctions;
import dev.anemone.beam.sql.codegen.UntranslatableException;
import dev.anemone.beam.sql.row.CompactRowCoder;
import org.apache.beam.sdk.extensions.sql.impl.BeamSqlPipelineOptions;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamCostModel;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamRelMetadataQuery;
import org.apache.beam.sdk.extensions.sql.impl.rel.AbstractBeamCalcRel;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamCalcRel;
import org.apache.beam.sdk.extensions.sql.impl.utils.CalciteUtils;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.POutput;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptCluster;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptPlanner;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelTraitSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Calc;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexLocalRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexProgram;

/**
 * A projection and filter that runs as one generated Java method for each row, where Beam's {@link
 * BeamCalcRel} calls generated code by reflection and copies its values from an array to a list to
 * a row. {@link CalcRule} makes it only of expressions that there is code for.
 */
public final class CalcRel extends AbstractBeamCalcRel {
  /** What it costs by the planner's estimate, as a share of Beam's operator. */
  private static final double RELATIVE_COST = 0.5;

  /** A Calc on an input of Beam's convention. */
  public CalcRel(RelOptCluster cluster, RelTraitSet traits, RelNode input, RexProgram program) {
    super(cluster, traits, input, program);
  }

  @Override
  public Calc copy(RelTraitSet traits, RelNode newInput, RexProgram newProgram) {
    return new CalcRel(getCluster(), traits, newInput, newProgram);
  }

  /** Whether this class can run a program. */
  static boolean canRun(RexProgram program, RexBuilder rexBuilder) {
    try {
      RowFunctions.of(
          CalcTranslator.translate(
              program, rexBuilder, CalciteUtils.toSchema(program.getInputRowType())));
      return true;
    } catch (UntranslatableException | IllegalArgumentException beyondThis) {
      // Some code that Calcite writes does not compile.
      return false;
    }
  }

  /** Beam's operator for a program, which fails where whole numbers overflow, as this one does. */
  static BeamCalcRel ofBeam(RelTraitSet traits, RelNode input, RexProgram program) {
    RelOptCluster cluster = input.getCluster();
    CheckedArithmetic checked = new CheckedArithmetic(cluster.getRexBuilder());
    RexLocalRef condition = program.getCondition();
    return new BeamCalcRel(
        cluster,
        traits,
        input,
        RexProgram.create(
            program.getInputRowType(),
            program.getProjectList().stream()
                .map(project -> program.expandLocalRef(project).accept(checked))
                .toList(),
            condition == null ? null : program.expandLocalRef(condition).accept(checked),
            program.getOutputRowType(),
            cluster.getRexBuilder()));
  }

  @Override
  public BeamCostModel beamComputeSelfCost(RelOptPlanner planner, BeamRelMetadataQuery mq) {
    return super.beamComputeSelfCost(planner, mq).multiplyBy(RELATIVE_COST);
  }

  @Override
  public PTransform<PCollectionList<Row>, PCollection<Row>> buildPTransform() {
    return new Transform();
  }

  /** With a collection of rows that failed, Beam's operator runs: it has one. */
  @Override
  public PTransform<PCollectionList<Row>, PCollection<Row>> buildPTransform(
      PTransform<PCollection<Row>, ? extends POutput> errors) {
    return errors == null ? new Transform() : beamCalc().buildPTransform(errors);
  }

  private BeamCalcRel beamCalc() {
    return ofBeam(getTraitSet(), getInput(), getProgram());
  }

  private final class Transform extends PTransform<PCollectionList<Row>, PCollection<Row>> {
    private static final long serialVersionUID = 1;

    @Override
    public PCollection<Row> expand(PCollectionList<Row> inputs) {
      PCollection<Row> input = inputs.get(0);
      String source;
      try {
        source =
            CalcTranslator.translate(getProgram(), getCluster().getRexBuilder(), input.getSchema());
      } catch (UntranslatableException otherColumns) {
        // A table has columns of types that are not quite those that it told the planner.
        return inputs.apply("Calc of Beam", beamCalc().buildPTransform());
      }
      RowFunctions.of(source);
      Schema schema = CalciteUtils.toSchema(getRowType());
      boolean verifies =
          input.getPipeline().getOptions().as(BeamSqlPipelineOptions.class).getVerifyRowValues();
      return input
          .apply("Calc", ParDo.of(new CalcFn(source, schema, verifies)))
          .setCoder(CompactRowCoder.of(schema));
    }
  }
}
