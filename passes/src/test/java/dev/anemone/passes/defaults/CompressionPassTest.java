// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.InsertRelay;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.property.Compression;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompressionPassTest {

  private static final PassContext CONTEXT = Plans.CONTEXT.withOption("compression", "lz4");

  @Test
  void planBeforeAndAfter() {
    IRDag withRelay = Plans.wordCount().apply(new InsertRelay(List.of("e2"), "relay", "test"));
    GoldenPlan.assertMatches(
        "CompressionPass", Plans.lastStep(withRelay, CONTEXT, new CompressionPass()));
  }

  @Test
  void returnsTheSameGraphWhenNothingIsMissing() {
    IRDag done = Plans.lastStep(Plans.wordCount(), CONTEXT, new CompressionPass()).after();
    assertThat(new CompressionPass().apply(done, CONTEXT)).isSameAs(done);
  }

  @Test
  void nothingIsCompressedUnlessAskedFor() {
    IRDag after = Plans.lastStep(Plans.wordCount(), Plans.CONTEXT, new CompressionPass()).after();
    assertThat(after.edges())
        .allSatisfy(
            edge -> assertThat(edge.property(Compression.class)).contains(Compression.NONE));
  }

  @Test
  void keepsWhatIsSet() {
    IRDag given = Plans.wordCount().apply(new SetEdgeProperty("e2", Compression.ZSTD));
    IRDag after = Plans.lastStep(given, CONTEXT, new CompressionPass()).after();
    assertThat(after.edge("e2").property(Compression.class)).contains(Compression.ZSTD);
  }
}
