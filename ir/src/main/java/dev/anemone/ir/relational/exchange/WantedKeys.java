// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.exchange;

import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.query.JoinKind;
import dev.anemone.ir.relational.query.Relation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which rows of its pieces a query has a use for: those that find a match in the joins on their
 * way. A row may be left out whose key no row of the other side has, where the join gives nothing
 * of such a row:
 *
 * <ul>
 *   <li>in an inner join either side;
 *   <li>in a left outer join the right side, in a right outer join the left side, and none in a
 *       full one: an outer join keeps the others;
 *   <li>in a semi join either side;
 *   <li>in an anti join none: of the left side just such rows are wanted, and of the right one, if
 *       null counts there, a row without a match decides, too.
 * </ul>
 *
 * <p>On the way to such a join a row may go through filters, projections that keep the column, and
 * other joins that give a row only with it.
 */
public final class WantedKeys {

  private final String pieces;
  private final List<WantedKey> found = new ArrayList<>();

  private WantedKeys(String pieces) {
    this.pieces = pieces;
  }

  /**
   * Rows of the pieces count only if a column has a value that the column of another input has.
   *
   * @param column of the pieces
   * @param input the name of the other input
   * @param key the column of that
   */
  public record WantedKey(String column, String input, String key) {}

  /** All that are known of a query; empty where a row without a match counts. */
  public static List<WantedKey> of(PiecedQuery query) {
    if (query.query().reads(query.pieces()) != 1) {
      return List.of();
    }
    WantedKeys keys = new WantedKeys(query.pieces());
    keys.columns(query.query().root());
    return List.copyOf(keys.found);
  }

  /**
   * The columns of a relation that are columns of the pieces, where each of its rows comes of a row
   * of the pieces and would only not be there without that; empty for other relations.
   */
  private Optional<Map<String, String>> columns(Relation relation) {
    if (relation instanceof Relation.Input input) {
      if (!input.name().equals(pieces)) {
        return Optional.empty();
      }
      Map<String, String> same = new HashMap<>();
      input.row().fields().forEach(field -> same.put(field.name(), field.name()));
      return Optional.of(same);
    } else if (relation instanceof Relation.Join join) {
      return joined(join);
    } else if (relation instanceof Relation.Step step) {
      Optional<Map<String, String>> below = columns(step.input());
      if (step.operator() instanceof RelationalOperator.Project project) {
        return below.map(columns -> projected(columns, project));
      }
      return step.operator() instanceof RelationalOperator.Filter ? below : Optional.empty();
    }
    relation.inputs().forEach(this::columns);
    return Optional.empty();
  }

  private static Map<String, String> projected(
      Map<String, String> columns, RelationalOperator.Project project) {
    Map<String, String> projected = new HashMap<>();
    for (NamedExpression made : project.columns()) {
      if (made.expression() instanceof Expression.Column column
          && columns.containsKey(column.name())) {
        projected.put(made.name(), columns.get(column.name()));
      }
    }
    return projected;
  }

  private Optional<Map<String, String>> joined(Relation.Join join) {
    Optional<Map<String, String>> left = columns(join.left());
    Optional<Map<String, String>> right = columns(join.right());
    JoinKind kind = join.kind();
    if (left.isPresent()) {
      if (kind == JoinKind.INNER || kind == JoinKind.RIGHT || kind == JoinKind.SEMI) {
        for (Relation.KeyPair pair : join.keys()) {
          add(left.get(), pair.left(), join.right(), pair.right());
        }
      }
      return kind == JoinKind.RIGHT || kind == JoinKind.FULL ? Optional.empty() : left;
    }
    if (right.isPresent()) {
      if (kind == JoinKind.INNER || kind == JoinKind.LEFT || kind == JoinKind.SEMI) {
        for (Relation.KeyPair pair : join.keys()) {
          add(right.get(), pair.right(), join.left(), pair.left());
        }
      }
      return kind == JoinKind.INNER || kind == JoinKind.RIGHT ? right : Optional.empty();
    }
    return Optional.empty();
  }

  private void add(Map<String, String> columns, String column, Relation other, String key) {
    String ofPieces = columns.get(column);
    if (ofPieces != null && hasOrder(other.row().field(key).type().type())) {
      origin(other, key)
          .ifPresent(input -> found.add(new WantedKey(ofPieces, input.name(), input.column())));
    }
  }

  /** Whether equal values are equal in every engine and file: of doubles, some are not. */
  private static boolean hasOrder(DataType type) {
    return type != SimpleType.DOUBLE && type != SimpleType.BOOLEAN;
  }

  private record Origin(String name, String column) {}

  /** The column of an input that has all values, but for null, that a relation's column has. */
  private static Optional<Origin> origin(Relation relation, String column) {
    if (relation instanceof Relation.Input input) {
      return Optional.of(new Origin(input.name(), column));
    } else if (relation instanceof Relation.Join join) {
      return origin(
          join.left().row().indexOf(column).isPresent() ? join.left() : join.right(), column);
    } else if (relation instanceof Relation.Top top) {
      return origin(top.input(), column);
    } else if (relation instanceof Relation.Step step) {
      if (step.operator() instanceof RelationalOperator.Project project) {
        return project.columns().stream()
            .filter(made -> made.name().equals(column))
            .findFirst()
            .filter(made -> made.expression() instanceof Expression.Column)
            .flatMap(made -> origin(step.input(), ((Expression.Column) made.expression()).name()));
      }
      boolean isKept =
          !(step.operator() instanceof RelationalOperator.Aggregate aggregate)
              || aggregate.groupBy().contains(column);
      return isKept ? origin(step.input(), column) : Optional.empty();
    }
    return Optional.empty();
  }
}
