// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whole jobs of many tasks: the scheduler has a thread of the master that all else needs, too. */
class SlotSchedulerScaleTest {

  /** Of processor time, for all tasks of a job. */
  private static final Duration ENOUGH = Duration.ofSeconds(1);

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final List<Integer> stageSizes = new ArrayList<>();
  private long begin;
  private int ended;

  private int stage(FakeDag dag, int tasks, int... inputs) {
    stageSizes.add(tasks);
    return dag.stage(tasks, inputs);
  }

  private int aggregation(FakeDag dag, int tasks, int... inputs) {
    stageSizes.add(tasks);
    return dag.aggregation(tasks, inputs);
  }

  /** All tasks ask first, those of the last stage before all others; then one ends at a time. */
  private void run(FakeDag dag) {
    int tasks = stageSizes.stream().mapToInt(Integer::intValue).sum();
    begin = threads.getCurrentThreadCpuTime();
    for (int stage = stageSizes.size() - 1; stage >= 0; stage--) {
      ask(dag, stage);
    }
    while (ended < tasks) {
      endNext(dag);
    }
    assertThat(dag.started()).hasSize(tasks).doesNotHaveDuplicates();
  }

  /** As it is with stages that pull: each asks when the one before it has ended. */
  private void runStageByStage(FakeDag dag) {
    begin = threads.getCurrentThreadCpuTime();
    int tasks = 0;
    for (int stage = 0; stage < stageSizes.size(); stage++) {
      ask(dag, stage);
      tasks += stageSizes.get(stage);
      while (ended < tasks) {
        endNext(dag);
      }
    }
    assertThat(dag.started()).hasSize(tasks).doesNotHaveDuplicates();
  }

  private void ask(FakeDag dag, int stage) {
    for (int task = 0; task < stageSizes.get(stage); task++) {
      dag.ask(stage, task, 0);
      assertInTime();
    }
  }

  private void endNext(FakeDag dag) {
    dag.end(dag.started().get(ended++));
    assertInTime();
  }

  private void assertInTime() {
    long taken = threads.getCurrentThreadCpuTime() - begin;
    if (taken > ENOUGH.toNanos()) {
      fail("%s ns of processor time, and only %s tasks have ended", taken, ended);
    }
  }

  @Test
  void consumersThatWaitForManyProducers() {
    FakeDag dag = new FakeDag(2, true);
    int producers = stage(dag, 2_000);
    stage(dag, 2_000, producers);
    run(dag);
  }

  @Test
  void aShuffleOfManyTasksOnFewSlots() {
    FakeDag dag = new FakeDag(2, true);
    int producers = stage(dag, 2_000);
    stage(dag, 2_000, producers);
    runStageByStage(dag);
  }

  @Test
  void aggregationsOfManyProducers() {
    FakeDag dag = new FakeDag(100, false);
    int producers = stage(dag, 2_000);
    aggregation(dag, 2_000, producers);
    run(dag);
  }

  @Test
  void manyTasksOnManySlots() {
    FakeDag dag = new FakeDag(1_000, false);
    int producers = stage(dag, 5_000);
    stage(dag, 5_000, producers);
    runStageByStage(dag);
  }

  @Test
  void diamondsOneBehindTheOther() {
    FakeDag dag = new FakeDag(4, true);
    int last = stage(dag, 4);
    for (int i = 0; i < 40; i++) {
      last = stage(dag, 4, stage(dag, 4, last), stage(dag, 4, last));
    }
    runStageByStage(dag);
  }

  /** A node is lost, and with it what many tasks had written. */
  @Test
  void manyTasksRunAgainWhileOthersWaitForThem() {
    FakeDag dag = new FakeDag(100, false);
    int producers = stage(dag, 2_000);
    int consumers = stage(dag, 2_000, producers);
    begin = threads.getCurrentThreadCpuTime();
    for (int task = 0; task < 2_000; task++) {
      dag.end(dag.ask(producers, task, 0));
      assertInTime();
    }
    ended = 2_000;
    ask(dag, consumers);
    for (int task = 0; task < 2_000; task++) {
      dag.ask(producers, task, 1);
      assertInTime();
    }
    while (ended < 6_000) {
      endNext(dag);
    }
    assertThat(dag.started()).hasSize(6_000).doesNotHaveDuplicates();
  }
}
