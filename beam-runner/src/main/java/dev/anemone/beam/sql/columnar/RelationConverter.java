// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.columnar;

import dev.anemone.beam.columnar.QueryOfRows;
import dev.anemone.beam.sql.ndp.ExpressionConverter;
import dev.anemone.beam.sql.ndp.NdpTable;
import dev.anemone.beam.sql.ndp.SqlRows;
import dev.anemone.beam.sql.ndp.UnsupportedExpressionException;
import dev.anemone.beam.sql.order.ResultOrder;
import dev.anemone.beam.sql.rel.JoinRule;
import dev.anemone.beam.sql.rel.SideBytes;
import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.exchange.SideSizes;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.SortKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamIOSourceRel;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelFieldCollation;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Aggregate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Calc;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Join;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Sort;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Union;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Values;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexLiteral;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexLocalRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexProgram;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says operators of the planner in the relational IR, column by column in their order. For one part
 * of a query: it collects the tables that the part reads.
 */
final class RelationConverter {

  private static final Logger LOG = LoggerFactory.getLogger(RelationConverter.class);

  /** Of decimals in rows, until the rows are there. */
  private static final DecimalType ANY_DIGITS = new DecimalType(18, 2);

  private final RexBuilder rexBuilder;
  private final Map<String, NdpTable> tables = new HashMap<>();

  /** Which table an input is, with its schemas. */
  private final Map<String, List<String>> inputs = new HashMap<>();

  private final Map<String, RelNode> collections = new HashMap<>();

  private final Set<Relation> broadcast = new HashSet<>();
  private final Map<Relation, OptionalLong> sideBytes = new HashMap<>();
  private final List<String> reasons = new ArrayList<>();
  private final Optional<RelNode> rows;
  private final boolean readsCollections;

  private RelationConverter(
      RexBuilder rexBuilder, Optional<RelNode> rows, boolean readsCollections) {
    this.rexBuilder = rexBuilder;
    this.rows = rows;
    this.readsCollections = readsCollections;
  }

  /** Says operators on tables. */
  static RelationConverter onTables(RexBuilder rexBuilder) {
    return new RelationConverter(rexBuilder, Optional.empty(), false);
  }

  /** Says operators on tables and collections. */
  static RelationConverter onCollections(RexBuilder rexBuilder) {
    return new RelationConverter(rexBuilder, Optional.empty(), true);
  }

  /** Says operators on the rows of another one. */
  static RelationConverter onRows(RexBuilder rexBuilder, RelNode rows) {
    return new RelationConverter(rexBuilder, Optional.of(rows), false);
  }

  /** The tables of all inputs so far, by the name of the input. */
  Map<String, NdpTable> tables() {
    return tables;
  }

  /** What makes the rows of the other inputs so far, by the name of the input. */
  Map<String, RelNode> collections() {
    return collections;
  }

  /** Why the rows of {@link #collections} are made by others. */
  List<String> reasons() {
    return reasons;
  }

  /** Which sides of joins are to be broadcast, because they are small, and how large all are. */
  SideSizes sideSizes() {
    return new SideSizes(
        broadcast::contains, side -> sideBytes.getOrDefault(side, OptionalLong.empty()));
  }

  /**
   * The relation that an operator and all below it are.
   *
   * @throws UnsupportedExpressionException when one cannot be said; the message says why
   * @throws InvalidPlanException when one can be said, but has no meaning there, for want of digits
   *     for example
   */
  Relation convert(RelNode node) throws UnsupportedExpressionException {
    if (rows.isPresent() && rows.get().equals(node)) {
      return rows(node);
    } else if (node instanceof BeamIOSourceRel source) {
      return input(source);
    } else if (node instanceof Calc calc) {
      return calc(calc);
    } else if (node instanceof Join join) {
      return join(join);
    } else if (node instanceof Aggregate aggregate) {
      return new AggregateConverter(aggregate, convert(aggregate.getInput())).relation();
    } else if (node instanceof Sort sort) {
      return top(sort);
    } else if (node instanceof Union union && union.all) {
      return UnionConverter.relation(sides(union.getInputs()));
    } else if (node instanceof Values values) {
      return ValuesConverter.relation(values);
    }
    throw new UnsupportedExpressionException("the operator " + node.getRelTypeName());
  }

  private Relation input(BeamIOSourceRel source) throws UnsupportedExpressionException {
    if (!(source.getBeamSqlTable() instanceof NdpTable table)) {
      Optional<List<Field>> fields =
          readsCollections ? CollectionScan.all(source) : Optional.empty();
      return collection(source, fields.orElseThrow(() -> notInSplits(source)));
    }
    String name = inputName(table.name(), source.getTable().getQualifiedName());
    tables.put(name, table);
    return new Relation.Input(name, table.columns());
  }

  /** Of a collection, of which a query in columns would not be worth it. */
  static UnsupportedExpressionException notInSplits(BeamIOSourceRel source) {
    return new UnsupportedExpressionException(
        "the table "
            + String.join(".", source.getTable().getQualifiedName())
            + ", which is not read in splits");
  }

  /** The name of a table, or, where a table of another schema has it, one behind it. */
  private String inputName(String table, List<String> qualified) {
    String name = table;
    int next = 2;
    while (!inputs.computeIfAbsent(name, first -> qualified).equals(qualified)) {
      name = table + " " + next++;
    }
    return name;
  }

  /**
   * The sides of a join, or the inputs of a union. Where a side cannot be said, its rows are made
   * by others, as long as another side reads a table: where none does, rows have to be sent in any
   * case, and perhaps window by window.
   */
  private List<Relation> sides(List<RelNode> nodes) throws UnsupportedExpressionException {
    List<Relation> sides = new ArrayList<>();
    List<UnsupportedExpressionException> unsaid = new ArrayList<>();
    for (RelNode node : nodes) {
      try {
        sides.add(convert(node));
      } catch (UnsupportedExpressionException reason) {
        sides.add(null);
        unsaid.add(reason);
      } catch (InvalidPlanException reason) {
        sides.add(null);
        unsaid.add(new UnsupportedExpressionException(reason.getMessage()));
      }
    }
    if (unsaid.isEmpty()) {
      return sides;
    }
    if (rows.isPresent() || sides.stream().noneMatch(this::readsTable)) {
      throw unsaid.get(0);
    }
    for (UnsupportedExpressionException reason : unsaid) {
      LOG.info("A side of {} is made in rows: {}", nodes.size(), reason.getMessage());
      reasons.add(reason.getMessage());
    }
    for (int i = 0; i < sides.size(); i++) {
      if (sides.get(i) == null) {
        sides.set(i, collection(nodes.get(i)));
      }
    }
    return sides;
  }

  private boolean readsTable(Relation relation) {
    if (relation instanceof Relation.Input input) {
      return tables.containsKey(input.name());
    }
    return relation != null && relation.inputs().stream().anyMatch(this::readsTable);
  }

  private Relation collection(RelNode node) throws UnsupportedExpressionException {
    List<Field> fields = new ArrayList<>();
    List<String> names = names(node.getRowType().getFieldNames(), Set.of());
    for (RelDataTypeField field : node.getRowType().getFieldList()) {
      DataType type = SqlRows.simple(field.getType());
      if (type == null) {
        throw CollectionScan.undeclared(field.getName());
      }
      fields.add(Field.nullable(names.get(fields.size()), type));
    }
    return collection(node, fields);
  }

  private Relation collection(RelNode node, List<Field> fields) {
    String name = inputName("rows", List.of("rows " + node.getId()));
    collections.put(name, node);
    return new Relation.Input(name, new RowType(fields));
  }

  private static Relation rows(RelNode node) throws UnsupportedExpressionException {
    List<Field> fields = new ArrayList<>();
    List<String> names = names(node.getRowType().getFieldNames(), Set.of());
    for (RelDataTypeField field : node.getRowType().getFieldList()) {
      DataType type = SqlRows.simple(field.getType());
      fields.add(Field.nullable(names.get(fields.size()), type == null ? ANY_DIGITS : type));
    }
    return new Relation.Input(QueryOfRows.ROWS, new RowType(fields));
  }

  private Relation calc(Calc calc) throws UnsupportedExpressionException {
    Optional<CollectionScan> scan =
        readsCollections ? CollectionScan.below(calc) : Optional.empty();
    if (scan.isPresent()) {
      Relation rows = collection(scan.get().rows(), scan.get().fields());
      return projected(calc, rows, scan.get().projects());
    }
    Relation relation = convert(calc.getInput());
    RexProgram program = calc.getProgram();
    List<RexNode> projects = new ArrayList<>();
    for (RexLocalRef project : program.getProjectList()) {
      projects.add(program.expandLocalRef(project));
    }
    Optional<RexNode> condition =
        Optional.ofNullable(program.getCondition()).map(program::expandLocalRef);
    if (program.containsAggs()) {
      // Such a program has the condition of a filter that stood above it: windows are of all rows.
      WindowConverter windows = new WindowConverter(rexBuilder, relation);
      for (RexNode project : projects) {
        windows.add(project);
      }
      if (condition.isPresent()) {
        windows.add(condition.get());
      }
      relation = windows.relation();
      projects.replaceAll(windows::withoutFunctions);
      condition = condition.map(windows::withoutFunctions);
    }
    if (condition.isPresent()) {
      ExpressionConverter expressions = ExpressionConverter.ofQuery(relation.row(), rexBuilder);
      relation =
          Relation.Step.of(
              new RelationalOperator.Filter(expressions.required(condition.get())), relation);
    }
    return projected(calc, relation, projects);
  }

  private Relation projected(Calc calc, Relation relation, List<RexNode> projects)
      throws UnsupportedExpressionException {
    ExpressionConverter expressions = ExpressionConverter.ofQuery(relation.row(), rexBuilder);
    List<NamedExpression> columns = new ArrayList<>();
    List<String> names = names(calc.getRowType().getFieldNames(), Set.of());
    for (RexNode project : projects) {
      columns.add(new NamedExpression(names.get(columns.size()), expressions.required(project)));
    }
    return Relation.Step.of(new RelationalOperator.Project(columns), relation);
  }

  /** Names that differ from each other and from those taken. */
  static List<String> names(List<String> wanted, Set<String> taken) {
    Set<String> used = new HashSet<>(taken);
    List<String> names = new ArrayList<>();
    for (String name : wanted) {
      names.add(
          SqlValidatorUtil.uniquify(
              name.isBlank() ? "column" : name,
              used,
              (original, attempt, size) -> original + "_" + attempt));
    }
    return names;
  }

  private Relation join(Join join) throws UnsupportedExpressionException {
    List<Relation> sides = sides(join.getInputs());
    Relation.Join converted =
        new JoinConverter(rexBuilder).relation(join, sides.get(0), sides.get(1));
    if (join.getHints().contains(JoinRule.BROADCAST)) {
      broadcast.add(converted.right());
    }
    SideBytes bytes = SideBytes.of(join);
    sideBytes.put(converted.left(), bytes.left());
    sideBytes.put(converted.right(), bytes.right());
    return converted;
  }

  private Relation top(Sort sort) throws UnsupportedExpressionException {
    Relation input = convert(sort.getInput());
    List<SortKey> keys = new ArrayList<>();
    for (RelFieldCollation collation : sort.getCollation().getFieldCollations()) {
      ResultOrder.Key key = ResultOrder.Key.of(collation.getFieldIndex(), collation);
      keys.add(
          new SortKey(
              input.row().fields().get(key.index()).name(), key.descending(), key.nullsFirst()));
    }
    return new Relation.Top(
        input,
        keys,
        sort.fetch == null ? OptionalLong.empty() : OptionalLong.of(number(sort.fetch)),
        sort.offset == null ? 0 : number(sort.offset));
  }

  private static long number(RexNode node) throws UnsupportedExpressionException {
    if (node instanceof RexLiteral literal) {
      return literal.getValueAs(Long.class);
    }
    throw new UnsupportedExpressionException("a limit that is no number: " + node);
  }
}
