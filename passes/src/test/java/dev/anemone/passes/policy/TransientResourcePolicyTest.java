// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.RelayVertex;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.DataPersistence;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.ir.testing.ArbitraryDags;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import dev.anemone.passes.TracePrinter;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class TransientResourcePolicyTest {

  private static final PassContext CONTEXT = PassContext.of(8, 512 * Plans.MB, Map.of());

  @Test
  void traceOfAWordCount() {
    GoldenPlan.assertText(
        "TransientResourcePolicy.txt",
        TracePrinter.TEXT.print(
            Optimizer.standard()
                .optimize(new TransientResourcePolicy(), Plans.wordCount(), CONTEXT)));
  }

  @Provide
  Arbitrary<IRDag> fromFrontEnd() {
    return ArbitraryDags.fromFrontEnd();
  }

  @Property(tries = 80, edgeCases = EdgeCasesMode.NONE)
  void whatIsShuffledComesToContainersThatStay(@ForAll("fromFrontEnd") IRDag dag) {
    IRDag result =
        Optimizer.standard().optimize(new TransientResourcePolicy(), dag, CONTEXT).result();
    for (IREdge edge : result.edges()) {
      if (edge.pattern() != CommunicationPattern.SHUFFLE) {
        continue;
      }
      assertThat(priority(result, edge.to())).as("%s", edge).isEqualTo(ResourcePriority.RESERVED);
      boolean pushed = priority(result, edge.from()) == ResourcePriority.TRANSIENT;
      assertThat(edge.property(DataFlow.class)).contains(pushed ? DataFlow.PUSH : DataFlow.PULL);
      assertThat(result.vertex(edge.to()) instanceof RelayVertex).isEqualTo(pushed);
      assertThat(edge.property(DataStore.class))
          .contains(pushed ? DataStore.MEMORY : DataStore.LOCAL_FILE);
      assertThat(edge.property(DataPersistence.class))
          .contains(pushed ? DataPersistence.DISCARD : DataPersistence.KEEP);
    }
  }

  private static ResourcePriority priority(IRDag dag, String vertex) {
    return dag.vertex(vertex).property(ResourcePriority.class).orElseThrow();
  }
}
