// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.schema;

import dev.anemone.ir.relational.AggregateFunction;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.SimpleType;
import java.util.Arrays;
import java.util.Optional;
import org.apache.beam.sdk.schemas.Schema.TypeName;
import org.apache.beam.sdk.transforms.Combine.CombineFn;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.Max;
import org.apache.beam.sdk.transforms.Mean;
import org.apache.beam.sdk.transforms.Min;
import org.apache.beam.sdk.transforms.Sum;

/**
 * Beam's functions of values that mean the same in columns. Beam's sums of whole numbers do not
 * fail where they do not fit, they wrap: here they are exact, and wrap when they become values of
 * rows. Smallest and largest doubles are not among them, which depend in Beam on where NaN stands.
 */
enum KnownAggregate {
  COUNT(Count.combineFn(), AggregateFunction.COUNT, TypeName.INT64, Reading.AS_IS),
  SUM_OF_INTEGERS(
      Sum.ofIntegers(), AggregateFunction.SUM, TypeName.INT32, Reading.WRAPPED_TO_INTEGER),
  SUM_OF_LONGS(Sum.ofLongs(), AggregateFunction.SUM, TypeName.INT64, Reading.WRAPPED_TO_LONG),
  SUM_OF_DOUBLES(Sum.ofDoubles(), AggregateFunction.SUM, TypeName.DOUBLE, Reading.AS_IS),
  MIN_OF_INTEGERS(Min.ofIntegers(), AggregateFunction.MIN, TypeName.INT32, Reading.AS_IS),
  MIN_OF_LONGS(Min.ofLongs(), AggregateFunction.MIN, TypeName.INT64, Reading.AS_IS),
  MAX_OF_INTEGERS(Max.ofIntegers(), AggregateFunction.MAX, TypeName.INT32, Reading.AS_IS),
  MAX_OF_LONGS(Max.ofLongs(), AggregateFunction.MAX, TypeName.INT64, Reading.AS_IS),
  MEAN(Mean.of(), AggregateFunction.AVG, TypeName.DOUBLE, Reading.AS_IS);

  private final Class<?> beamClass;
  private final AggregateFunction function;
  private final TypeName result;
  private final Reading reading;

  KnownAggregate(
      CombineFn<?, ?, ?> fn, AggregateFunction function, TypeName result, Reading reading) {
    this.beamClass = fn.getClass();
    this.function = function;
    this.result = result;
    this.reading = reading;
  }

  /** The one that a function of Beam is, if it is one. */
  static Optional<KnownAggregate> of(CombineFn<?, ?, ?> fn) {
    return Arrays.stream(values()).filter(known -> known.beamClass == fn.getClass()).findFirst();
  }

  AggregateFunction function() {
    return function;
  }

  /** The type of the field that Beam gives. */
  TypeName result() {
    return result;
  }

  Reading reading() {
    return reading;
  }

  /** Whether it counts rows, whatever is in them. */
  boolean countsRows() {
    return this == COUNT;
  }

  boolean takes(TypeName argument) {
    return argument == result
        || (this == MEAN && (argument == TypeName.INT32 || argument == TypeName.INT64));
  }

  /** What the engine's function is of. */
  Expression argument(Expression value) {
    return switch (this) {
      case SUM_OF_LONGS -> new Expression.Cast(value, new DecimalType(19, 0));
      case MEAN -> new Expression.Cast(value, SimpleType.DOUBLE);
      default -> value;
    };
  }
}
