// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AggregationTasksTest {

  private final FakeDag dag = new FakeDag(3, false);
  private final int producing = dag.stage(2);
  private final int aggregating = dag.aggregation(2, producing);

  @Test
  void theEldestThatRunsCounts() {
    dag.launch(producing, 0, 100);
    assertThat(AggregationTasks.runningSince(dag.dag())).isEmpty();
    dag.launch(aggregating, 0, 700);
    dag.launch(aggregating, 1, 500);
    assertThat(AggregationTasks.runningSince(dag.dag())).hasValue(500);
  }
}
