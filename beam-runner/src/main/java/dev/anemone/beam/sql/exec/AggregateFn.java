// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.exec;

import dev.anemone.beam.sql.row.CompactRowCoder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderRegistry;
import org.apache.beam.sdk.coders.CustomCoder;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Combine.CombineFn;
import org.apache.beam.sdk.values.Row;

/**
 * Computes aggregate functions of rows. An accumulator is an array of {@link Cell}s, and is changed
 * in place.
 */
final class AggregateFn extends CombineFn<Row, Cell[], Row> {
  private static final long serialVersionUID = 1;

  private final CellSpec[] cells;
  private final AggregateResult[] results;
  private final Schema schema;

  /**
   * A function.
   *
   * @param schema of the results
   */
  AggregateFn(List<CellSpec> cells, List<AggregateResult> results, Schema schema) {
    this.cells = cells.toArray(CellSpec[]::new);
    this.results = results.toArray(AggregateResult[]::new);
    this.schema = schema;
  }

  @Override
  public Cell[] createAccumulator() {
    Cell[] accumulator = new Cell[cells.length];
    for (int i = 0; i < cells.length; i++) {
      accumulator[i] = cells[i].empty();
    }
    return accumulator;
  }

  @Override
  public Cell[] addInput(Cell[] accumulator, Row row) {
    for (int i = 0; i < cells.length; i++) {
      int field = cells[i].field();
      Object value = field == CellSpec.ROWS ? row : row.getValue(field);
      if (value != null) {
        accumulator[i].add(value);
      } else {
        accumulator[i].addNull();
      }
    }
    return accumulator;
  }

  @Override
  public Cell[] mergeAccumulators(Iterable<Cell[]> accumulators) {
    Cell[] merged = createAccumulator();
    for (Cell[] accumulator : accumulators) {
      for (int i = 0; i < cells.length; i++) {
        merged[i].merge(accumulator[i]);
      }
    }
    return merged;
  }

  @Override
  public Row extractOutput(Cell[] accumulator) {
    Object[] values = new Object[results.length];
    for (int i = 0; i < results.length; i++) {
      values[i] = results[i].of(accumulator);
    }
    return Row.withSchema(schema).attachValues(values);
  }

  @Override
  public Coder<Cell[]> getAccumulatorCoder(CoderRegistry registry, Coder<Row> inputCoder) {
    return new CellsCoder(cells);
  }

  @Override
  public Coder<Row> getDefaultOutputCoder(CoderRegistry registry, Coder<Row> inputCoder) {
    return CompactRowCoder.of(schema);
  }

  /** Codes accumulators. Immutable and thread-safe. */
  private static final class CellsCoder extends CustomCoder<Cell[]> {
    private static final long serialVersionUID = 1;

    private final CellSpec[] cells;

    CellsCoder(CellSpec[] cells) {
      this.cells = cells;
    }

    @Override
    public void encode(Cell[] accumulator, OutputStream out) throws IOException {
      for (Cell cell : accumulator) {
        cell.write(out);
      }
    }

    @Override
    public Cell[] decode(InputStream in) throws IOException {
      Cell[] accumulator = new Cell[cells.length];
      for (int i = 0; i < cells.length; i++) {
        accumulator[i] = cells[i].read(in);
      }
      return accumulator;
    }
  }
}
