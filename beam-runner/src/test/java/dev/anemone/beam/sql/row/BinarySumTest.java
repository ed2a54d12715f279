// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class BinarySumTest {

  @Provide
  Arbitrary<List<Double>> numbers() {
    return Arbitraries.oneOf(
            Arbitraries.integers().between(-100, 100).map(number -> number / 8.0),
            Arbitraries.doubles().between(-1e6, 1e6),
            Arbitraries.longs().map(Double::longBitsToDouble).filter(Double::isFinite),
            Arbitraries.of(0.0, -0.0, Double.MIN_VALUE, Double.MIN_NORMAL, Double.MAX_VALUE))
        .list()
        .ofMaxSize(20);
  }

  @Property(tries = 500)
  void isTheExactSumWhereverItIsDividedAndMerged(
      @ForAll("numbers") List<Double> first, @ForAll("numbers") List<Double> second)
      throws IOException {
    BinarySum left = new BinarySum();
    first.forEach(left::add);
    BinarySum right = new BinarySum();
    second.forEach(right::add);
    BinarySum merged = copy(left);
    merged.merge(copy(right));

    BigDecimal ofFirst =
        first.stream().map(BigDecimal::new).reduce(BigDecimal.ZERO, BigDecimal::add);
    BigDecimal ofBoth = second.stream().map(BigDecimal::new).reduce(ofFirst, BigDecimal::add);
    assertThat(left.sum()).isEqualByComparingTo(ofFirst);
    assertThat(merged.sum()).isEqualByComparingTo(ofBoth);
    assertThat(merged.count()).isEqualTo(first.size() + second.size());
    assertThat(merged.isFinite()).isTrue();
  }

  @Property(tries = 500)
  void productsHaveAllDigits(@ForAll("numbers") List<Double> numbers) {
    BinarySum sum = new BinarySum();
    BigDecimal expected = BigDecimal.ZERO;
    for (int i = 1; i < numbers.size(); i++) {
      sum.addProduct(numbers.get(i - 1), numbers.get(i));
      expected =
          expected.add(new BigDecimal(numbers.get(i - 1)).multiply(new BigDecimal(numbers.get(i))));
    }
    assertThat(sum.sum()).isEqualByComparingTo(expected);
  }

  @Example
  void whatIsNotFiniteHasNoSum() throws IOException {
    for (double number : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      BinarySum added = new BinarySum();
      added.add(number);
      BinarySum multiplied = new BinarySum();
      multiplied.addProduct(1.0, number);
      BinarySum merged = new BinarySum();
      merged.add(1.0);
      merged.merge(copy(added));
      assertThat(List.of(added, multiplied, merged)).noneMatch(BinarySum::isFinite);
    }
  }

  private static BinarySum copy(BinarySum sum) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    sum.write(out);
    return BinarySum.read(new ByteArrayInputStream(out.toByteArray()));
  }
}
