// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.property.DataPersistence;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DataPersistencePassTest {

  private static final PassContext CONTEXT = Plans.CONTEXT;

  @Test
  void planBeforeAndAfter() {
    OptimizationStep step = Plans.lastStep(Plans.wordCount(), CONTEXT, new DataPersistencePass());
    GoldenPlan.assertMatches("DataPersistencePass", step);
  }

  @Test
  void returnsTheSameGraphWhenNothingIsMissing() {
    IRDag done = Plans.lastStep(Plans.wordCount(), CONTEXT, new DataPersistencePass()).after();
    assertThat(new DataPersistencePass().apply(done, CONTEXT)).isSameAs(done);
  }

  @Test
  void keepsWhatIsSet() {
    IRDag given = Plans.wordCount().apply(new SetEdgeProperty("e2", DataPersistence.DISCARD));
    IRDag after = Plans.lastStep(given, CONTEXT, new DataPersistencePass()).after();
    assertThat(after.edge("e2").property(DataPersistence.class)).contains(DataPersistence.DISCARD);
  }

  @Test
  void discardsWhereMoreShufflesThanAllowedFollowEachOther() {
    IRDag oneShuffle = Plans.wordCount();
    assertThat(persistences(oneShuffle, CONTEXT)).containsOnly(DataPersistence.KEEP);
    assertThat(persistences(oneShuffle, CONTEXT.withOption("keptShuffles", "1")))
        .containsOnly(DataPersistence.KEEP);
    assertThat(persistences(oneShuffle, CONTEXT.withOption("keptShuffles", "0")))
        .containsOnly(DataPersistence.DISCARD);
  }

  @Test
  void countsShufflesThatFollowEachOtherAndNoOthers() {
    PassContext one = CONTEXT.withOption("keptShuffles", "1");
    assertThat(persistences(Plans.join(), one)).containsOnly(DataPersistence.KEEP);
    IRDag.Builder chain = IRDag.builder().add(Plans.source("lines", Plans.MB, 1));
    String last = "lines";
    for (int i = 0; i < 9; i++) {
      String next = "count" + i;
      chain.add(Plans.operator(next)).add(Plans.groupByKey("e" + i, last, next));
      last = next;
    }
    assertThat(persistences(chain.build(), CONTEXT)).containsOnly(DataPersistence.DISCARD);
    assertThat(persistences(chain.build(), CONTEXT.withOption("keptShuffles", "9")))
        .containsOnly(DataPersistence.KEEP);
  }

  private static Set<DataPersistence> persistences(IRDag dag, PassContext context) {
    return Plans.lastStep(dag, context, new DataPersistencePass()).after().edges().stream()
        .map(edge -> edge.property(DataPersistence.class).orElseThrow())
        .collect(Collectors.toSet());
  }
}
