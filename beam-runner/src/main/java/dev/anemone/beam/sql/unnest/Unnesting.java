// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.unnest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.Convention;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Correlate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.CorrelationId;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Filter;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.JoinRelType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Project;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.RelFactories;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Uncollect;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Values;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexCorrelVariable;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexFieldAccess;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexInputRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.tools.RelBuilder;

/**
 * Makes {@link UnnestRel}s of what Calcite converts {@code UNNEST} to. One that names a column of
 * what it is joined with is a correlation, which no other phase then has to know:
 *
 * <pre>
 * Correlate($cor0)                        ──▶   Unnest(array=[$n])
 *   outer                                        Project($0, ..., $n=[$a])
 *   Uncollect                                      outer
 *     Project($cor0.a)
 *       Values(0)
 * </pre>
 */
public final class Unnesting {

  private Unnesting() {}

  /** What an UNNEST of no outer row becomes; empty if it is of several arrays, or of a map. */
  public static Optional<RelNode> of(Uncollect uncollect) {
    RelNode arrays = uncollect.getInput();
    return hasArray(uncollect) && RelOptUtil.getVariablesUsed(arrays).isEmpty()
        ? Optional.of(
            converted(unnest(uncollect, arrays, JoinRelType.INNER), uncollect.getRowType()))
        : Optional.empty();
  }

  /** What a correlation becomes; empty if its right side is another one than an UNNEST. */
  public static Optional<RelNode> of(Correlate correlate) {
    List<RelNode> above = new ArrayList<>();
    RelNode right = correlate.getRight();
    while (isMovable(right, correlate.getJoinType())) {
      above.add(0, right);
      right = right.getInput(0);
    }
    if (!(right instanceof Uncollect uncollect)
        || !hasArray(uncollect)
        || !(uncollect.getInput() instanceof Project arrays)
        || !(arrays.getInput() instanceof Values values)
        || values.getTuples().size() != 1
        || !RelOptUtil.InputFinder.bits(arrays.getProjects().get(0)).isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(unnested(correlate, uncollect, arrays.getProjects().get(0), above));
  }

  private static RelNode unnested(
      Correlate correlate, Uncollect uncollect, RexNode array, List<RelNode> above) {
    RelNode left = correlate.getLeft();
    RelBuilder builder = builder(left).push(left);
    int leftColumns = left.getRowType().getFieldCount();
    OuterRow outer = new OuterRow(correlate.getCorrelationId(), leftColumns, builder);
    builder.projectPlus(array.accept(outer));
    builder.push(unnest(uncollect, builder.build(), correlate.getJoinType()));
    for (RelNode node : above) {
      if (node instanceof Filter filter) {
        builder.filter(filter.getCondition().accept(outer));
      } else {
        List<RexNode> columns = new ArrayList<>(builder.fields().subList(0, leftColumns));
        ((Project) node).getProjects().forEach(column -> columns.add(column.accept(outer)));
        builder.project(columns);
      }
    }
    return converted(builder.build(), correlate.getRowType());
  }

  /** With a LEFT JOIN, what is computed of an element must be NULL where there is none. */
  private static boolean isMovable(RelNode node, JoinRelType type) {
    if (node instanceof Project project) {
      return type == JoinRelType.INNER
          ? !project.containsOver() && project.getProjects().stream().noneMatch(Unnesting::isQuery)
          : type == JoinRelType.LEFT
              && project.getProjects().stream().allMatch(RexInputRef.class::isInstance);
    }
    return node instanceof Filter filter
        && type == JoinRelType.INNER
        && !isQuery(filter.getCondition());
  }

  private static boolean isQuery(RexNode expression) {
    return RexUtil.SubQueryFinder.find(expression) != null;
  }

  private static boolean hasArray(Uncollect uncollect) {
    List<RelDataTypeField> arrays = uncollect.getInput().getRowType().getFieldList();
    return arrays.size() == 1 && arrays.get(0).getType().getComponentType() != null;
  }

  private static RelNode unnest(Uncollect uncollect, RelNode input, JoinRelType type) {
    RelDataType element =
        uncollect.getInput().getRowType().getFieldList().get(0).getType().getComponentType();
    List<RelDataTypeField> columns = uncollect.getRowType().getFieldList();
    // An alias of the element keeps a row whole.
    boolean whole = !element.isStruct() || columns.get(0).getType().isStruct();
    boolean keepsEmpty = type == JoinRelType.LEFT;
    boolean nullable = keepsEmpty || (!whole && element.isNullable());
    return new UnnestRel(
        input.getCluster(),
        input.getCluster().traitSetOf(Convention.NONE),
        input,
        nullable ? nullable(columns, input.getCluster().getTypeFactory()) : columns,
        whole ? UnnestRel.Shape.WHOLE : UnnestRel.Shape.FIELDS,
        uncollect.withOrdinality,
        keepsEmpty);
  }

  private static List<RelDataTypeField> nullable(
      List<RelDataTypeField> columns, RelDataTypeFactory types) {
    RelDataTypeFactory.Builder builder = types.builder();
    columns.forEach(column -> builder.add(column).nullable(true));
    return builder.build().getFieldList();
  }

  private static RelNode converted(RelNode node, RelDataType type) {
    return builder(node).push(node).convert(type, true).build();
  }

  private static RelBuilder builder(RelNode node) {
    return RelFactories.LOGICAL_BUILDER.create(node.getCluster(), null);
  }

  /** Makes columns of the outer row the first of a row, and those of the inner row the others. */
  private static final class OuterRow extends RexShuttle {
    private final CorrelationId id;
    private final int columns;
    private final RelBuilder builder;

    OuterRow(CorrelationId id, int columns, RelBuilder builder) {
      this.id = id;
      this.columns = columns;
      this.builder = builder;
    }

    @Override
    public RexNode visitFieldAccess(RexFieldAccess access) {
      return access.getReferenceExpr() instanceof RexCorrelVariable variable
              && variable.id.equals(id)
          ? builder.field(access.getField().getIndex())
          : super.visitFieldAccess(access);
    }

    @Override
    public RexNode visitInputRef(RexInputRef input) {
      return builder.field(input.getIndex() + columns);
    }
  }
}
