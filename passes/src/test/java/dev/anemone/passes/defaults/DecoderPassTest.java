// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.InsertRelay;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.Encoder;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecoderPassTest {

  private static final PassContext CONTEXT = Plans.CONTEXT;

  @Test
  void planBeforeAndAfter() {
    IRDag withRelay = Plans.wordCount().apply(new InsertRelay(List.of("e2"), "relay", "test"));
    GoldenPlan.assertMatches(
        "DecoderPass", Plans.lastStep(withRelay, CONTEXT, new EncoderPass(), new DecoderPass()));
  }

  @Test
  void returnsTheSameGraphWhenNothingIsMissing() {
    IRDag done =
        Plans.lastStep(Plans.wordCount(), CONTEXT, new EncoderPass(), new DecoderPass()).after();
    assertThat(new DecoderPass().apply(done, CONTEXT)).isSameAs(done);
  }

  @Test
  void followsAnEncoderThatWasSet() {
    FunctionSpec own = FunctionSpec.of("test:own");
    IRDag given = Plans.wordCount().apply(new SetEdgeProperty("e2", new Encoder(own)));
    IRDag after = Plans.lastStep(given, CONTEXT, new EncoderPass(), new DecoderPass()).after();
    assertThat(after.edge("e2").property(Decoder.class)).contains(new Decoder(own));
  }
}
