// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.property.Compression;
import dev.anemone.passes.defaults.ParallelismPass;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PassContextTest {

  private static final PassOption<Long> SIZE = PassOption.bytes("size", 42, "how large");

  @ParameterizedTest
  @CsvSource({"4096,4096", "1KB,1024", "64mb,67108864", "' 2 GB ',2147483648"})
  void readsBytes(String text, long bytes) {
    assertThat(with("size", text).get(SIZE)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "-1", "many", "1.5MB", "64TB", "9999999999GB"})
  void refusesWhatIsNoNumberOfBytes(String text) {
    assertThatThrownBy(() -> with("size", text).get(SIZE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "The pass option size (how large) was given as \""
                + text
                + "\", but expects a positive number of bytes, such as 4096, 512KB, 64MB or 1GB.");
  }

  @Test
  void noneOfSomeBytesIsZero() {
    PassOption<Long> limit = PassOption.bytesOrNone("size", 42, "how large");
    assertThat(with("size", "0").get(limit)).isZero();
    assertThat(with("size", " 1KB").get(limit)).isEqualTo(1024);
    assertThatThrownBy(() -> with("size", "-1").get(limit)).hasMessageContaining("or 0 for none");
  }

  @Test
  void readsNumbersFlagsAndChoices() {
    PassOption<Integer> whole = PassOption.wholeNumber("n", 1, 7, "how many");
    PassOption<Double> number = PassOption.number("n", 0, 1, 0.5, "how much");
    PassOption<Boolean> flag = PassOption.flag("n", "whether");
    PassOption<Compression> choice = PassOption.choice("n", Compression.NONE, "how");
    assertThat(with("n", "3").get(whole)).isEqualTo(3);
    assertThat(with("n", "0.25").get(number)).isEqualTo(0.25);
    assertThat(with("n", "TRUE").get(flag)).isTrue();
    assertThat(with("n", "lz4").get(choice)).isEqualTo(Compression.LZ4);
    assertThatThrownBy(() -> with("n", "0").get(whole)).hasMessageContaining("at least 1");
    assertThatThrownBy(() -> with("n", "2").get(number)).hasMessageContaining("from 0.0 to 1.0");
    assertThatThrownBy(() -> with("n", "NaN").get(number)).hasMessageContaining("NaN");
    assertThatThrownBy(() -> with("n", "yes").get(flag)).hasMessageContaining("true or false");
    assertThatThrownBy(() -> with("n", "zip").get(choice))
        .hasMessageContaining("one of none, lz4, zstd");
  }

  @Test
  void givesTheDefaultOfAnOptionThatWasNotGiven() {
    assertThat(Plans.CONTEXT.get(SIZE)).isEqualTo(42);
    assertThat(Plans.CONTEXT.has(SIZE)).isFalse();
    assertThat(with("size", "1").has(SIZE)).isTrue();
  }

  @Test
  void doesNotChangeWithWhatItWasMadeOf() {
    Map<String, String> options = new HashMap<>(Map.of("size", "1"));
    PassContext context = PassContext.of(1, 1, options);
    options.put("size", "2");
    assertThat(context.get(SIZE)).isEqualTo(1);
    assertThat(context.withStarted(Set.of("a")).options()).isEqualTo(context.options());
    assertThat(context.startedVertices()).isEmpty();
  }

  @Test
  void refusesSlotsAndMemoryBelowOne() {
    assertThatThrownBy(() -> PassContext.of(0, 1, Map.of())).hasMessageContaining("slots");
    assertThatThrownBy(() -> PassContext.of(1, 0, Map.of())).hasMessageContaining("memory");
  }

  @Test
  void badValuesAreFoundBeforeTheFirstPassRunsEvenIfThePassIsSkipped() {
    CompileTimePass skipped =
        CompositePass.when(
            new PassCondition("never", (dag, context) -> false), "skipped", new ParallelismPass());
    assertThatThrownBy(
            () ->
                PassRunner.standard()
                    .run(
                        "test",
                        List.of(skipped),
                        List.of(),
                        Plans.wordCount(),
                        with("parallelism", "lots")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("parallelism")
        .hasMessageContaining("lots");
  }

  private static PassContext with(String name, String value) {
    return Plans.CONTEXT.withOption(name, value);
  }
}
