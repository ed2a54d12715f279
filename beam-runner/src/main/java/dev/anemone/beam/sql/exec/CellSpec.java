// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.exec;

import dev.anemone.beam.sql.row.ColumnCodec;
import dev.anemone.beam.sql.row.ExactSum;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.Schema.TypeName;

/**
 * Which cell is kept of which column.
 *
 * @param kind of the cell
 * @param field index of the column; {@link #ROWS} for the rows themselves
 * @param type of the column
 * @param columns of a {@link Kind#SPREAD}, else null
 * @param function of an {@link Kind#OTHER}, else null
 */
record CellSpec(Kind kind, int field, FieldType type, ColumnPair columns, BeamFunction function)
    implements Serializable {
  /** Stands for a column in which no row has NULL. */
  static final int ROWS = -1;

  /** The kinds of cells. */
  enum Kind {
    COUNT,
    SUM,
    /** Of a {@link ColumnPair}; it takes whole rows. */
    SPREAD,
    LEAST,
    GREATEST,
    /** Of the value of the only row. */
    ONLY,
    /** Of a {@link BeamFunction}, which takes whole rows. */
    OTHER
  }

  CellSpec(Kind kind, int field, FieldType type) {
    this(kind, field, type, null, null);
  }

  static CellSpec of(ColumnPair columns) {
    return new CellSpec(Kind.SPREAD, ROWS, null, columns, null);
  }

  static CellSpec of(BeamFunction function) {
    return new CellSpec(Kind.OTHER, ROWS, null, null, function);
  }

  /** A cell without values. */
  Cell empty() {
    return switch (kind) {
      case COUNT -> new Cell.Count();
      case SUM -> isFloating() ? new Cell.Floating() : new Cell.Exact(isWhole(), new ExactSum());
      case SPREAD -> new Cell.Spread(columns, Moments.of(columns));
      case LEAST -> new Cell.Extreme(-1, ColumnCodec.of(type));
      case GREATEST -> new Cell.Extreme(1, ColumnCodec.of(type));
      case ONLY -> new Cell.Only(ColumnCodec.of(type));
      case OTHER -> new Cell.Other(function);
    };
  }

  /** Reads what {@link Cell#write} wrote of such a cell. */
  Cell read(InputStream in) throws IOException {
    return switch (kind) {
      case COUNT -> Cell.Count.read(in);
      case SUM ->
          isFloating() ? Cell.Floating.read(in) : new Cell.Exact(isWhole(), ExactSum.read(in));
      case SPREAD -> new Cell.Spread(columns, Moments.read(columns, in));
      case LEAST -> new Cell.Extreme(-1, ColumnCodec.of(type)).read(in);
      case GREATEST -> new Cell.Extreme(1, ColumnCodec.of(type)).read(in);
      case ONLY -> new Cell.Only(ColumnCodec.of(type)).read(in);
      case OTHER -> new Cell.Other(function).read(in);
    };
  }

  private boolean isFloating() {
    return type.getTypeName() == TypeName.DOUBLE;
  }

  private boolean isWhole() {
    return type.getTypeName() != TypeName.DECIMAL;
  }
}
