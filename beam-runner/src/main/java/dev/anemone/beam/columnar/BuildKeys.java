// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RelationalOperator.Filter;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.exchange.ExchangedBatches;
import dev.anemone.ndp.rows.ArrowRows;
import dev.anemone.ndp.rows.ValueOrder;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;

/**
 * The values of a column of the small side of a join, without null: each of them where they are
 * few, else the smallest and the largest. Not thread-safe.
 */
final class BuildKeys {

  private final DataType type;
  private final int most;
  private final TreeSet<Object> values = new TreeSet<>(ValueOrder.INSTANCE);
  private boolean isRange;

  private BuildKeys(DataType type, int most) {
    this.type = type;
    this.most = most;
  }

  /**
   * Reads all rows.
   *
   * @param row of the batches
   * @param column whose values are keys
   * @param most values that are kept one by one
   */
  static BuildKeys of(RowType row, Iterable<byte[]> batches, String column, int most)
      throws IOException {
    int index = row.indexOf(column).orElseThrow();
    RowType keyOnly = new RowType(List.of(row.fields().get(index)));
    BuildKeys keys = new BuildKeys(row.fields().get(index).type().type(), most);
    try (ArrowReader reader = ExchangedBatches.of(row, batches.iterator())) {
      VectorSchemaRoot root = reader.getVectorSchemaRoot();
      while (reader.loadNextBatch()) {
        VectorSchemaRoot key = VectorSchemaRoot.of(root.getVector(index));
        key.setRowCount(root.getRowCount());
        for (List<Object> value : ArrowRows.of(key, keyOnly)) {
          if (value.get(0) != null) {
            keys.add(value.get(0));
          }
        }
      }
    }
    return keys;
  }

  private void add(Object value) {
    values.add(value);
    isRange |= values.size() > most;
    while (isRange && values.size() > 2) {
      values.remove(values.higher(values.first()));
    }
  }

  /**
   * The rows that can have a match.
   *
   * @param column of these rows, of the type of the keys
   * @return empty where a key is no constant that a plan can have
   */
  Optional<Filter> filter(String column) {
    Expression.Column value = new Expression.Column(column);
    try {
      List<Literal> literals = values.stream().map(key -> Literal.of(type, key)).toList();
      if (literals.isEmpty()) {
        return Optional.of(new Filter(Literal.of(false)));
      }
      return Optional.of(
          new Filter(
              isRange
                  ? new Expression.Between(value, literals.get(0), literals.get(1))
                  : new Expression.In(value, literals)));
    } catch (InvalidPlanException e) {
      // Such as a date before the year 1: all rows go on, and the join decides.
      return Optional.empty();
    }
  }
}
