// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.InsertRelay;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.property.Compression;
import dev.anemone.ir.property.Decompression;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecompressionPassTest {

  private static final PassContext CONTEXT = Plans.CONTEXT.withOption("compression", "lz4");

  @Test
  void planBeforeAndAfter() {
    IRDag withRelay = Plans.wordCount().apply(new InsertRelay(List.of("e2"), "relay", "test"));
    GoldenPlan.assertMatches(
        "DecompressionPass",
        Plans.lastStep(withRelay, CONTEXT, new CompressionPass(), new DecompressionPass()));
  }

  @Test
  void returnsTheSameGraphWhenNothingIsMissing() {
    IRDag done =
        Plans.lastStep(Plans.wordCount(), CONTEXT, new CompressionPass(), new DecompressionPass())
            .after();
    assertThat(new DecompressionPass().apply(done, CONTEXT)).isSameAs(done);
  }

  @Test
  void followsACompressionThatWasSet() {
    IRDag given = Plans.wordCount().apply(new SetEdgeProperty("e2", Compression.ZSTD));
    IRDag after =
        Plans.lastStep(given, CONTEXT, new CompressionPass(), new DecompressionPass()).after();
    assertThat(after.edge("e2").property(Decompression.class)).contains(Decompression.ZSTD);
  }
}
