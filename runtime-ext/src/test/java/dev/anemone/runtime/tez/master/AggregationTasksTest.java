// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AggregationTasksTest {

  private final FakeDag dag = new FakeDag(3, false);
  private final int producing = dag.stage(2);
  private final int aggregating = dag.aggregation(2, producing);

  @Test
  void whatTheEldestHasOfItsProducersCounts() {
    dag.launch(producing, 0, 100);
    assertThat(AggregationTasks.mostGathered(dag.dag(), 900)).isZero();
    dag.launch(aggregating, 0, 700);
    dag.launch(aggregating, 1, 500);
    assertThat(AggregationTasks.mostGathered(dag.dag(), 900)).isZero();
    dag.recover(producing, 0);
    assertThat(AggregationTasks.mostGathered(dag.dag(), 900)).isEqualTo(200);
    dag.recover(producing, 1);
    assertThat(AggregationTasks.mostGathered(dag.dag(), 900)).isEqualTo(400);
  }
}
