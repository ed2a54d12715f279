// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

class ExactSumTest {

  @Provide
  Arbitrary<List<BigDecimal>> decimals() {
    Arbitrary<BigInteger> digits =
        Arbitraries.oneOf(
            Arbitraries.longs().between(-1000, 1000).map(BigInteger::valueOf),
            Arbitraries.longs().map(BigInteger::valueOf),
            Arbitraries.bigIntegers());
    Arbitrary<Integer> scales =
        Arbitraries.frequencyOf(
            Tuple.of(5, Arbitraries.just(2)), Tuple.of(2, Arbitraries.integers().between(-5, 30)));
    return Combinators.combine(digits, scales).as(BigDecimal::new).list().ofMaxSize(30);
  }

  @Property(tries = 1000)
  void isTheSumWhereverItIsDividedAndMerged(
      @ForAll("decimals") List<BigDecimal> first, @ForAll("decimals") List<BigDecimal> second)
      throws IOException {
    ExactSum left = new ExactSum();
    first.forEach(left::add);
    ExactSum right = new ExactSum();
    second.forEach(right::add);

    ExactSum merged = copy(left);
    merged.merge(copy(right));

    BigDecimal expected = BigDecimal.ZERO;
    for (BigDecimal value : first) {
      expected = expected.add(value);
    }
    assertThat(left.sum()).isEqualByComparingTo(expected);
    for (BigDecimal value : second) {
      expected = expected.add(value);
    }
    assertThat(merged.sum()).isEqualByComparingTo(expected);
    assertThat(merged.count()).isEqualTo(first.size() + second.size());
  }

  @Property(tries = 300)
  void sumsWholeNumbersBeyondTheirRange(@ForAll List<Long> values) {
    ExactSum sum = new ExactSum();
    values.forEach(value -> sum.add((long) value));
    assertThat(sum.sum())
        .isEqualByComparingTo(
            values.stream().map(BigDecimal::valueOf).reduce(BigDecimal.ZERO, BigDecimal::add));
  }

  @Property(tries = 300)
  void productsHaveAllDigits(
      @ForAll List<Long> values, @ForAll("decimals") List<BigDecimal> decimals) {
    List<Number> numbers = new ArrayList<>(values);
    numbers.addAll(decimals);
    ExactSum sum = new ExactSum();
    BigDecimal expected = BigDecimal.ZERO;
    for (int i = 1; i < numbers.size(); i++) {
      sum.addProduct(numbers.get(i - 1), numbers.get(i));
      BigDecimal first = new BigDecimal(numbers.get(i - 1).toString());
      expected = expected.add(first.multiply(new BigDecimal(numbers.get(i).toString())));
    }
    assertThat(sum.sum()).isEqualByComparingTo(expected);
  }

  private static ExactSum copy(ExactSum sum) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    sum.write(out);
    return ExactSum.read(new ByteArrayInputStream(out.toByteArray()));
  }
}
