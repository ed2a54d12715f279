// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.schema;

import dev.anemone.beam.schema.PartColumns.Column;
import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.RelationalOperator.Project;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.query.JoinKind;
import dev.anemone.ir.relational.query.Relation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.beam.sdk.schemas.Schema;

/**
 * Says matches as joins, one side after the other: those that must be there first.
 *
 * <p>In Beam NULL matches NULL, in a join it does not. Keys that may be NULL are compared as two
 * columns: whether it is NULL, and its value or some value in the place of NULL.
 */
final class MatchConverter {

  private final StepConverter steps;
  private final ColumnNames names;
  private final Set<Relation> small;

  MatchConverter(StepConverter steps, ColumnNames names, Set<Relation> small) {
    this.steps = steps;
    this.names = names;
    this.small = small;
  }

  /** A side with its keys. */
  private record Keyed(int position, boolean optional, PartColumns columns, List<String> keys) {}

  PartColumns matched(SchemaStep.Matches matches, Set<FieldPath> wanted)
      throws UnsaidStepException {
    List<Keyed> required = new ArrayList<>();
    List<Keyed> optional = new ArrayList<>();
    for (int i = 0; i < matches.sides().size(); i++) {
      SchemaStep.Side side = matches.sides().get(i);
      Keyed keyed = keyed(matches, i, wanted);
      (side.optional() ? optional : required).add(keyed);
      if (side.small()) {
        small.add(keyed.columns.relation());
      }
    }
    List<Keyed> order = new ArrayList<>(required);
    order.addAll(optional);
    Keyed first = order.get(0);
    Relation joined = first.columns.relation();
    Map<FieldPath, Column> columns = new HashMap<>(first.columns.within(first.position));
    for (Keyed next : order.subList(1, order.size())) {
      List<Relation.KeyPair> pairs = new ArrayList<>();
      for (int i = 0; i < first.keys.size(); i++) {
        pairs.add(new Relation.KeyPair(first.keys.get(i), next.keys.get(i)));
      }
      joined =
          new Relation.Join(
              kind(first, next), joined, next.columns.relation(), pairs, Optional.empty());
      columns.putAll(next.columns.within(next.position));
    }
    return new PartColumns(joined, columns);
  }

  private static JoinKind kind(Keyed first, Keyed next) {
    if (first.optional) {
      return JoinKind.FULL;
    }
    return next.optional ? JoinKind.LEFT : JoinKind.INNER;
  }

  private Keyed keyed(SchemaStep.Matches matches, int position, Set<FieldPath> wanted)
      throws UnsaidStepException {
    SchemaStep.Side side = matches.sides().get(position);
    FieldPath presence = FieldPath.ROOT.then(position);
    Set<FieldPath> read = new LinkedHashSet<>(side.keys());
    wanted.stream()
        .filter(path -> path.first() == position && !path.equals(presence))
        .map(FieldPath::rest)
        .forEach(read::add);
    PartColumns columns = steps.convert(side.rows(), read);
    Map<FieldPath, Column> withPresence = new HashMap<>(columns.columns());
    List<NamedExpression> made = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < side.keys().size(); i++) {
      String key = StepConverter.asItIs(columns, side.keys().get(i)).name();
      if (isNullable(matches, i)) {
        keys.add(add(made, key + "_is_null", new Expression.IsNull(new Expression.Column(key))));
        keys.add(add(made, key + "_or_other", orOther(columns.relation().row().field(key))));
      } else {
        keys.add(key);
      }
    }
    if (wanted.contains(presence)) {
      String there = add(made, "is_there", Literal.of(true));
      withPresence.put(FieldPath.ROOT, new Column(there, Reading.AS_IS));
    }
    Relation relation = made.isEmpty() ? columns.relation() : with(columns.relation(), made);
    return new Keyed(position, side.optional(), new PartColumns(relation, withPresence), keys);
  }

  private String add(List<NamedExpression> made, String name, Expression expression) {
    String fresh = names.fresh(name);
    made.add(new NamedExpression(fresh, expression));
    return fresh;
  }

  private static Relation with(Relation relation, List<NamedExpression> more) {
    List<NamedExpression> all = new ArrayList<>();
    relation.row().fields().forEach(field -> all.add(NamedExpression.column(field.name())));
    all.addAll(more);
    return Relation.Step.of(new Project(all), relation);
  }

  /** Whether a key may be NULL on any side. */
  private static boolean isNullable(SchemaStep.Matches matches, int key) {
    for (SchemaStep.Side side : matches.sides()) {
      Schema schema = side.rows().getSchema();
      if (side.keys().get(key).isNullable(schema)) {
        return true;
      }
    }
    return false;
  }

  private static Expression orOther(Field key) {
    Expression value = new Expression.Column(key.name());
    return new Expression.Case(
        List.of(
            new Expression.Case.Branch(new Expression.Not(new Expression.IsNull(value)), value)),
        Optional.of(some(key.type().type())));
  }

  private static Literal some(DataType type) {
    return switch ((SimpleType) type) {
      case INT32 -> Literal.of(0);
      case INT64 -> Literal.of(0L);
      case STRING -> Literal.of("");
      case BOOLEAN -> Literal.of(false);
      case DOUBLE, DATE, TIMESTAMP -> throw new IllegalArgumentException("no key: " + type);
    };
  }
}
