// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.dofn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.harness.InMemoryAgreedFile;
import dev.anemone.beam.harness.InMemoryTask;
import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.beam.spec.ElementCoderSpec;
import dev.anemone.beam.spec.Urns;
import dev.anemone.runtime.spi.AgreedFile;
import dev.anemone.runtime.spi.ElementOperator;
import java.io.IOException;
import java.util.List;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;

class StableInputOperatorTest {

  private static final ElementCoderSpec SPEC =
      new ElementCoderSpec(StringUtf8Coder.of(), GlobalWindow.Coder.INSTANCE);

  private final InMemoryAgreedFile file = new InMemoryAgreedFile();

  private InMemoryTask attempt() {
    return new InMemoryTask(BeamSpecs.toFunctionSpec(Urns.STABLE_INPUT, SPEC)).withAgreedFile(file);
  }

  private static WindowedValue<Object> element(String value, long millis) {
    return WindowedValues.timestampedValueInGlobalWindow(value, Instant.ofEpochMilli(millis));
  }

  @Test
  void aLaterAttemptHandsOnWhatTheFirstHadGot() throws Exception {
    List<WindowedValue<Object>> first = List.of(element("b", 2), element("", 1), element("b", 2));

    assertThat(attempt().run(first)).isEqualTo(first);
    assertThat(attempt().run(List.of(element("c", 3)))).isEqualTo(first);
    assertThat(attempt().run(List.of())).isEqualTo(first);
  }

  @Test
  void thatTheFirstHadGotNothingIsKeptToo() throws Exception {
    assertThat(attempt().run(List.of())).isEmpty();
    assertThat(attempt().run(List.of(element("a", 1)))).isEmpty();
  }

  @Test
  void anAttemptThatEndsBeforeItsInputDoesDecidesNothing() throws Exception {
    InMemoryTask ended = attempt();
    try (ElementOperator operator = new StableInputOperator(SPEC)) {
      operator.open(ended);
      operator.accept(element("a", 1));
    }

    assertThat(attempt().run(List.of(element("b", 2)))).containsExactly(element("b", 2));
  }

  @Test
  void theSlowerOfTwoAttemptsTakesWhatTheFasterHadGot() throws Exception {
    InMemoryTask slow = attempt();
    try (ElementOperator operator = new StableInputOperator(SPEC)) {
      operator.open(slow);
      operator.accept(element("slow", 1));
      attempt().run(List.of(element("fast", 2)));
      operator.finish();
    }

    assertThat(slow.output("main", 0)).containsExactly(element("fast", 2));
  }

  @Test
  void aFileWithoutAnEndIsRefused() throws Exception {
    try (AgreedFile.Draft draft = file.begin()) {
      draft.publish();
    }

    assertThatThrownBy(() -> attempt().run(List.of()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has no end");
  }
}
