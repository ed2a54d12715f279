// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.exec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;

class MomentsTest {
  private static final ColumnPair DOUBLES = new ColumnPair(0, 0, true);
  private static final ColumnPair NUMBERS = new ColumnPair(0, 0, false);
  private static final ColumnPair TWO_COLUMNS = new ColumnPair(0, 1, true);

  private static Moments of(ColumnPair columns, List<? extends Number> values) {
    Moments moments = Moments.of(columns);
    values.forEach(value -> moments.add(value, value));
    return moments;
  }

  private static Moments copy(ColumnPair columns, Moments moments) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    moments.write(out);
    return Moments.read(columns, new ByteArrayInputStream(out.toByteArray()));
  }

  @Property(tries = 200)
  void theOrderOfRowsDoesNotMatter(
      @ForAll @Size(min = 2, max = 50) List<@DoubleRange(min = -1e12, max = 1e12) Double> values,
      @ForAll Random random)
      throws IOException {
    List<Double> shuffled = new ArrayList<>(values);
    Collections.shuffle(shuffled, random);
    int half = random.nextInt(shuffled.size());
    for (ColumnPair columns : List.of(DOUBLES, TWO_COLUMNS)) {
      Moments merged = copy(columns, of(columns, shuffled.subList(half, shuffled.size())));
      merged.merge(copy(columns, of(columns, shuffled.subList(0, half))));

      assertThat(merged.count()).isEqualTo(values.size());
      assertThat(merged.covariance(values.size()))
          .isEqualByComparingTo(of(columns, values).covariance(values.size()));
    }
  }

  @Example
  void numbersThatDifferLittleLoseNoDigits() {
    List<Double> doubles = List.of(1e15 + 4, 1e15 + 7, 1e15 + 13, 1e15 + 16);
    List<Long> longs =
        doubles.stream().map(value -> Long.MAX_VALUE / 2 + (long) (value - 1e15)).toList();
    List<BigDecimal> decimals =
        doubles.stream().map(value -> new BigDecimal(value).movePointLeft(20)).toList();

    assertThat(of(DOUBLES, doubles).covariance(3)).isEqualByComparingTo("30");
    assertThat(of(NUMBERS, longs).covariance(3)).isEqualByComparingTo("30");
    assertThat(of(NUMBERS, decimals).covariance(3)).isEqualByComparingTo("30e-40");
    assertThat(of(DOUBLES, Collections.nCopies(7, 0.1)).covariance(6)).isZero();
  }

  @Example
  void columnsThatRiseAndFallTogetherHaveACovariance() {
    Moments moments = Moments.of(TWO_COLUMNS);
    moments.add(1, new BigDecimal("2.5"));
    moments.add(2, new BigDecimal("4.5"));
    moments.add(3, new BigDecimal("0.5"));

    assertThat(moments.covariance(2)).isEqualByComparingTo("-1");
  }
}
