// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.exec;

import dev.anemone.beam.sql.codegen.UntranslatableException;
import dev.anemone.beam.sql.validate.CorrelationFunction;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.extensions.sql.impl.utils.CalciteUtils;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.Schema.TypeName;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.AggregateCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.Pair;

/**
 * Finds the cells that the functions of an aggregation need: SUM, AVG and COUNT of a column share
 * one, and so do its variances and standard deviations. Functions that have no cell keep the
 * accumulators that Beam has for them.
 */
final class AggregateTranslator {
  private final Schema input;
  private final List<CellSpec> cells = new ArrayList<>();
  private final List<AggregateResult> results = new ArrayList<>();
  private final List<Schema.Field> fields = new ArrayList<>();

  private AggregateTranslator(Schema input) {
    this.input = input;
  }

  /**
   * The function of an aggregation.
   *
   * @param input schema of the rows
   * @param calls the aggregate functions and the names of their results
   * @throws UntranslatableException if there is one that is unknown here
   */
  static AggregateFn translate(Schema input, List<Pair<AggregateCall, String>> calls)
      throws UntranslatableException {
    AggregateTranslator translator = new AggregateTranslator(input);
    for (Pair<AggregateCall, String> call : calls) {
      translator.add(call.left, call.right);
    }
    Schema schema = translator.fields.stream().collect(Schema.toSchema());
    return new AggregateFn(translator.cells, translator.results, schema);
  }

  private void add(AggregateCall call, String name) throws UntranslatableException {
    boolean plain =
        !call.isDistinct()
            && !call.isApproximate()
            && !call.ignoreNulls()
            && call.filterArg < 0
            && call.distinctKeys == null
            && call.getCollation().getFieldCollations().isEmpty()
            && call.rexList.isEmpty();
    if (!plain) {
      throw new UntranslatableException(call.toString());
    }
    Schema.Field field = CalciteUtils.toField(name, call.getType());
    AggregateResult.Function function = function(call);
    CellSpec spec;
    try {
      requireResult(function, field.getType(), call.getType());
      spec = spec(function, call);
    } catch (UntranslatableException unknown) {
      function = AggregateResult.Function.OTHER;
      spec = CellSpec.of(BeamFunction.of(call, input, field));
    }
    int cell = cells.indexOf(spec);
    if (cell < 0) {
      cell = cells.size();
      cells.add(spec);
    }
    results.add(new AggregateResult(function, cell, field.getType()));
    fields.add(field);
  }

  private static AggregateResult.Function function(AggregateCall call) {
    if (call.getAggregation().equals(CorrelationFunction.INSTANCE)) {
      return AggregateResult.Function.CORR;
    }
    if (call.getArgList().size() > 1) {
      return switch (call.getAggregation().getKind()) {
        case COVAR_POP -> AggregateResult.Function.COVAR_POP;
        case COVAR_SAMP -> AggregateResult.Function.COVAR_SAMP;
        default -> AggregateResult.Function.OTHER;
      };
    }
    return switch (call.getAggregation().getKind()) {
      case COUNT -> AggregateResult.Function.COUNT;
      case SUM -> AggregateResult.Function.SUM;
      case SUM0 -> AggregateResult.Function.SUM0;
      case AVG -> AggregateResult.Function.AVG;
      case VAR_POP -> AggregateResult.Function.VAR_POP;
      case VAR_SAMP -> AggregateResult.Function.VAR_SAMP;
      case STDDEV_POP -> AggregateResult.Function.STDDEV_POP;
      case STDDEV_SAMP -> AggregateResult.Function.STDDEV_SAMP;
      case MIN -> AggregateResult.Function.MIN;
      case MAX -> AggregateResult.Function.MAX;
      case SINGLE_VALUE -> AggregateResult.Function.SINGLE_VALUE;
      default -> AggregateResult.Function.OTHER;
    };
  }

  private CellSpec spec(AggregateResult.Function function, AggregateCall call)
      throws UntranslatableException {
    if (call.getArgList().isEmpty()) {
      if (function != AggregateResult.Function.COUNT) {
        throw new UntranslatableException(call.toString());
      }
      return new CellSpec(CellSpec.Kind.COUNT, CellSpec.ROWS, FieldType.INT64);
    }
    if (function.isOfSpread()) {
      return CellSpec.of(columns(call, function == AggregateResult.Function.CORR));
    }
    int index = call.getArgList().get(0);
    FieldType type = input.getField(index).getType().withNullable(false);
    boolean number = isSummable(type);
    CellSpec.Kind kind =
        switch (function) {
          // A column of numbers that is counted is often summed up, too.
          case COUNT -> number ? CellSpec.Kind.SUM : CellSpec.Kind.COUNT;
          case SUM, SUM0, AVG -> CellSpec.Kind.SUM;
          case MIN -> CellSpec.Kind.LEAST;
          case MAX -> CellSpec.Kind.GREATEST;
          case SINGLE_VALUE -> CellSpec.Kind.ONLY;
          default -> throw new UntranslatableException(call.toString());
        };
    boolean known =
        switch (kind) {
          case COUNT -> true;
          case SUM -> number;
          case LEAST, GREATEST, ONLY -> number || isComparable(type);
          default -> false;
        };
    if (!known) {
      throw new UntranslatableException(call + " of " + type);
    }
    return new CellSpec(kind, index, type);
  }

  /** The columns of a variance, of a covariance, or, with their squares, of a correlation. */
  private ColumnPair columns(AggregateCall call, boolean squares) throws UntranslatableException {
    boolean floating = false;
    for (int column : call.getArgList()) {
      FieldType type = input.getField(column).getType();
      if (!isSummable(type) && type.getTypeName() != TypeName.FLOAT) {
        throw new UntranslatableException(call + " of " + type);
      }
      floating |= type.getTypeName() == TypeName.FLOAT || type.getTypeName() == TypeName.DOUBLE;
    }
    int last = call.getArgList().size() - 1;
    return new ColumnPair(call.getArgList().get(0), call.getArgList().get(last), floating, squares);
  }

  private static boolean isSummable(FieldType type) {
    return switch (type.getTypeName()) {
      case BYTE, INT16, INT32, INT64, DECIMAL, DOUBLE -> true;
      default -> false;
    };
  }

  private static boolean isComparable(FieldType type) {
    return type.getTypeName() == TypeName.STRING
        || type.getTypeName() == TypeName.BOOLEAN
        || type.getTypeName() == TypeName.DATETIME
        || type.isLogicalType(SqlTypes.DATE.getIdentifier());
  }

  /** The type that Calcite gives to the result must be one that the cell can give. */
  private static void requireResult(
      AggregateResult.Function function, FieldType type, RelDataType sqlType)
      throws UntranslatableException {
    boolean known =
        switch (function) {
          case COUNT -> type.getTypeName() == TypeName.INT64;
          case SUM, SUM0, AVG -> isSummable(type);
          case VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP, COVAR_POP, COVAR_SAMP ->
              switch (type.getTypeName()) {
                case DECIMAL, FLOAT, DOUBLE -> true;
                default -> false;
              };
          case CORR -> type.getTypeName() == TypeName.DOUBLE;
          case MIN, MAX, SINGLE_VALUE -> true;
          case OTHER -> false;
        };
    if (!known) {
      throw new UntranslatableException(function + " as " + sqlType);
    }
  }
}
