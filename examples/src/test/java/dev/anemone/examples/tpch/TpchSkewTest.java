// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TpchSkewTest {

  @Test
  void aShareAndANumberOfKeysAloneAreThoseOfTheCustomers() {
    TpchSkew skew = TpchSkew.parse("0.25:20");

    assertThat(skew)
        .isEqualTo(new TpchSkew(Optional.of(new HotKeys(0.25, 20)), Optional.empty()))
        .isEqualTo(TpchSkew.parse("customers=0.25:20"));
    assertThat(skew).hasToString("customers=0.25:20");
  }

  @Test
  void ordersMayBeSkewedAloneOrToo() {
    assertThat(TpchSkew.parse("orders=0.1:5"))
        .isEqualTo(new TpchSkew(Optional.empty(), Optional.of(new HotKeys(0.1, 5))));
    assertThat(TpchSkew.parse("orders=0.1:5,0.25:20"))
        .hasToString("customers=0.25:20,orders=0.1:5");
  }

  @Test
  void nothingMeansNone() {
    assertThat(TpchSkew.parse(null)).isSameAs(TpchSkew.NONE);
    assertThat(TpchSkew.parse("")).isSameAs(TpchSkew.NONE);
    assertThat(TpchSkew.NONE).hasToString("");
  }

  @Property(tries = 50)
  void whatIsPrintedIsReadAgain(
      @ForAll @DoubleRange(min = 0.0001, max = 0.9999) @Scale(4) double share,
      @ForAll @IntRange(min = 1, max = 100_000) int keys) {
    TpchSkew skew =
        new TpchSkew(Optional.of(new HotKeys(share, keys)), Optional.of(new HotKeys(share, 1)));

    assertThat(TpchSkew.parse(skew.toString())).isEqualTo(skew);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0.25|'0.25' is not of the form SHARE:KEYS",
        "a:20|'a:20' is not of the form SHARE:KEYS",
        "0.25:2x|'0.25:2x' is not of the form SHARE:KEYS",
        "1:20|a share of 1.0 is out of range",
        "0:20|a share of 0.0 is out of range",
        "NaN:20|a share of NaN is out of range",
        "0.25:0|0 hot keys are out of range",
        "parts=0.25:20|'parts=0.25:20' is neither customers= nor orders=",
        "0.25:20,customers=0.1:2|'customers=0.1:2' is neither customers= nor orders=",
        "0.25:20,|'' is not of the form SHARE:KEYS"
      })
  void badValuesAreRefusedWithAnExample(String text, String message) {
    assertThatThrownBy(() -> TpchSkew.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--skew=" + text + ": " + message)
        .hasMessageContaining("Give such as --skew=0.25:20");
  }

  @Test
  void moreHotKeysThanTheDataHasAreRefused() {
    assertThatCode(() -> TpchSkew.parse("0.25:50").check(0.001)).doesNotThrowAnyException();
    assertThatThrownBy(() -> TpchSkew.parse("0.25:51").check(0.001))
        .hasMessage(
            "--skew=customers=0.25:51: data of scale 0.001 has too few customers for 51 hot ones."
                + " Give at most 50, or a larger --scale.");
    assertThatThrownBy(() -> TpchSkew.parse("orders=0.25:31").check(0.001))
        .hasMessageContaining("too few orders for 31 hot ones. Give at most 30,");
    assertThatThrownBy(() -> TpchSkew.parse("orders=0.25:31").check(101))
        .hasMessageContaining("hot orders are possible up to --scale=100");
  }
}
