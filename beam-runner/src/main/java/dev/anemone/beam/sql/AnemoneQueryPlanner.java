// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.beam.options.SqlPlannerOptions;
import dev.anemone.beam.sql.columnar.ColumnarPlace;
import dev.anemone.beam.sql.insert.InsertRel;
import dev.anemone.beam.sql.ndp.BeamTables;
import dev.anemone.beam.sql.ndp.OtherRowsException;
import dev.anemone.beam.sql.ndp.WrittenTable;
import dev.anemone.beam.sql.order.ResultOrder;
import dev.anemone.beam.sql.plan.AnalyticFunctionException;
import dev.anemone.beam.sql.plan.ConstantFolding;
import dev.anemone.beam.sql.plan.LogicalOptimizer;
import dev.anemone.beam.sql.plan.PhysicalOptimizer;
import dev.anemone.beam.sql.plan.StreamingQuery;
import dev.anemone.beam.sql.rel.JoinRule;
import dev.anemone.beam.sql.rel.ResultRel;
import dev.anemone.beam.sql.rel.UnsupportedSqlException;
import dev.anemone.beam.sql.validate.ConcatFunction;
import dev.anemone.beam.sql.validate.CorrelationFunction;
import dev.anemone.beam.sql.validate.DayArithmetic;
import dev.anemone.beam.sql.validate.FunctionNames;
import dev.anemone.beam.sql.validate.MedianFunction;
import dev.anemone.beam.sql.validate.NullableFunctions;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.beam.sdk.extensions.sql.impl.CalciteQueryPlanner;
import org.apache.beam.sdk.extensions.sql.impl.JdbcConnection;
import org.apache.beam.sdk.extensions.sql.impl.ParseException;
import org.apache.beam.sdk.extensions.sql.impl.QueryPlanner;
import org.apache.beam.sdk.extensions.sql.impl.SqlConversionException;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamIOSinkRel;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamRelNode;
import org.apache.beam.sdk.extensions.sql.meta.Table;
import org.apache.beam.sdk.extensions.sql.meta.provider.TableProvider;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptPlanner.CannotPlanException;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelRoot;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.parser.SqlParseException;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.util.SqlOperatorTables;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.tools.FrameworkConfig;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.tools.Frameworks;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.tools.Planner;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.tools.RelConversionException;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.tools.RuleSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.tools.ValidationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans Beam SQL for bounded tables. Use it with {@code
 * SqlTransform.withQueryPlannerClass(AnemoneQueryPlanner.class)} or {@code
 * --plannerName=dev.anemone.beam.sql.AnemoneQueryPlanner}.
 *
 * <p>It parses and validates as Beam SQL's own planner does. Beyond that one it plans sub-queries,
 * joins with any condition, semi and anti joins, and {@code ORDER BY} of any type; chooses the
 * order of joins by the sizes of tables; and broadcasts small sides of joins ({@link
 * SqlPlannerOptions}). Decimals keep their digits. A query with analytic functions in rows, pattern
 * matching, or unbounded tables goes to Beam SQL's planner, see {@link StreamingQuery}.
 *
 * <p>The order of an {@code ORDER BY} is told by the schema of the result, see {@link ResultOrder}.
 *
 * <p>Not thread-safe: a query belongs to one planner at a time.
 */
public final class AnemoneQueryPlanner implements QueryPlanner {

  /** Makes planners; Beam SQL looks for this field by its name. */
  public static final Factory FACTORY = AnemoneQueryPlanner::new;

  private static final Logger LOG = LoggerFactory.getLogger(AnemoneQueryPlanner.class);

  private final JdbcConnection connection;
  private final QueryPlanner beam;
  private final FrameworkConfig config;

  private AnemoneQueryPlanner(JdbcConnection connection, Collection<RuleSet> ruleSets) {
    this.connection = connection;
    // Makes Beam's built-in functions known to the connection, too.
    this.beam =
        CalciteQueryPlanner.FACTORY.createPlanner(connection, StreamingQuery.ruleSets(ruleSets));
    FrameworkConfig ofBeam = ((CalciteQueryPlanner) beam).defaultConfig(connection, ruleSets);
    this.config =
        Frameworks.newConfigBuilder(ofBeam)
            .operatorTable(
                SqlOperatorTables.chain(
                    new NullableFunctions(ofBeam.getOperatorTable()),
                    SqlOperatorTables.of(
                        ConcatFunction.INSTANCE,
                        MedianFunction.INSTANCE,
                        CorrelationFunction.INSTANCE)))
            .sqlValidatorConfig(
                ofBeam.getSqlValidatorConfig().withTypeCoercionFactory(DayArithmetic::new))
            .typeSystem(AnemoneTypeSystem.INSTANCE)
            .executor(new ConstantFolding())
            .sqlToRelConverterConfig(
                SqlToRelConverter.config()
                    .withExpand(false)
                    .withInSubQueryThreshold(IN_LIST)
                    .withHintStrategyTable(JoinRule.HINTS))
            .build();
  }

  /** Lists of constants stay conditions: a join is dearer than any list that somebody writes. */
  private static final int IN_LIST = Integer.MAX_VALUE;

  @Override
  public SqlNode parse(String sqlStatement) throws ParseException {
    return beam.parse(FunctionNames.quoted(sqlStatement));
  }

  /**
   * Plans a statement.
   *
   * @throws ParseException if it is no SQL, or names what is not there
   * @throws SqlConversionException if something in it is not supported; the message says what
   * @throws UnsupportedOperationException if there are query parameters
   */
  @Override
  public BeamRelNode convertToBeamRel(String sqlStatement, QueryParameters queryParameters)
      throws ParseException, SqlConversionException {
    if (queryParameters.getKind() != QueryParameters.Kind.NONE) {
      throw new UnsupportedOperationException(
          "Query parameters are not supported: write the values into the text of the query.");
    }
    try {
      RelRoot root = logical(sqlStatement);
      if (StreamingQuery.is(
          root.rel instanceof BeamIOSinkRel written ? written.getInput() : root.rel)) {
        return beam.convertToBeamRel(sqlStatement, queryParameters);
      }
      return plan(root);
    } catch (AnalyticFunctionException inRows) {
      if (!inRows.isKnownByBeam()) {
        throw unplannable(sqlStatement, inRows);
      }
      try {
        return beam.convertToBeamRel(sqlStatement, queryParameters);
      } catch (SqlConversionException byBeam) {
        SqlConversionException failure = unplannable(sqlStatement, inRows);
        failure.addSuppressed(byBeam);
        throw failure;
      }
    } catch (SqlParseException | ValidationException invalid) {
      throw new ParseException("Unable to parse query " + sqlStatement, invalid);
    } catch (RelConversionException | CannotPlanException | UnsupportedSqlException unplannable) {
      throw unplannable(sqlStatement, unplannable);
    }
  }

  private static SqlConversionException unplannable(String sqlStatement, Exception reason) {
    return new SqlConversionException(
        "Unable to plan query " + sqlStatement + ": " + reason.getMessage(), reason);
  }

  /** What a statement says, before anything is made better. */
  RelRoot logical(String sqlStatement)
      throws SqlParseException, ValidationException, RelConversionException {
    try (Planner planner = Frameworks.getPlanner(config)) {
      SqlNode statement = planner.parse(FunctionNames.quoted(sqlStatement));
      NullableFunctions.putInto(statement);
      TableResolvers.tell(connection, statement);
      return planner.rel(planner.validate(statement));
    }
  }

  private BeamRelNode plan(RelRoot root) {
    BeamRelNode physical =
        root.rel instanceof BeamIOSinkRel written
            ? insert(written, result(RelRoot.of(written.getInput(), SqlKind.SELECT)))
            : result(root);
    LOG.info("Plan:\n{}", RelOptUtil.toString(physical));
    return physical;
  }

  private BeamRelNode insert(BeamIOSinkRel written, ResultRel rows) {
    ResultRel told = rows;
    if (ColumnarPlace.of(connection.getPipelineOptions()) != ColumnarPlace.NOWHERE) {
      List<String> name = written.getTable().getQualifiedName();
      DeclaredTables declared = new DeclaredTables(connection);
      Optional<Table> table = declared.find(name);
      try {
        if (table.isPresent()) {
          TableProvider knownBy = declared.provider(name).orElseThrow();
          return new InsertRel(rows, WrittenTable.of(table.get(), knownBy));
        }
      } catch (OtherRowsException reason) {
        told =
            rows.withReason(
                "the table "
                    + String.join(".", name)
                    + ", which is written row by row: "
                    + reason.getMessage());
      }
    }
    return (BeamRelNode) written.copy(written.getTraitSet(), List.of(told));
  }

  private ResultRel result(RelRoot root) {
    SqlPlannerOptions options = connection.getPipelineOptions().as(NemoPipelineOptions.class);
    ResultOrder order = ResultOrder.of(root);
    ColumnarPlace columnar = ColumnarPlace.of(options);
    RelNode query = ResultOrder.withoutSort(root);
    if (columnar != ColumnarPlace.NOWHERE) {
      query = query.accept(new BeamTables(new DeclaredTables(connection)::find));
    }
    return new PhysicalOptimizer(columnar)
        .optimize(
            new LogicalOptimizer(options.getBroadcastJoinBytes()).optimize(query),
            SqlValidatorUtil.uniquify(root.fields.rightList(), true),
            order);
  }
}
