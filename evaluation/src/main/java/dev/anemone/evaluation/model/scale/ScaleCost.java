// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.scale;

import dev.anemone.evaluation.model.scale.ScaledJob.Shape;
import dev.anemone.evaluation.model.scale.SimulatedMaster.Work;
import dev.anemone.passes.policy.Policy;
import dev.anemone.runtime.resource.FileTrees;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;

/**
 * What a job costs its application master.
 *
 * @param shape of the job
 * @param tasksRun its tasks, with those that the policy has added
 * @param compileNanos processor time from the program to the DAG, which the client pays
 * @param masterNanos processor time of the master, without what tasks do
 * @param retainedBytes of the heap, which the master holds when the job ends
 * @param work what was done
 */
record ScaleCost(
    Shape shape, int tasksRun, long compileNanos, long masterNanos, long retainedBytes, Work work) {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /**
   * Runs a job.
   *
   * @param directory for its files; made, and deleted again
   */
  static ScaleCost of(Policy policy, Shape shape, Path directory) throws IOException {
    String id = "scale-" + policy.name() + "-" + shape.tasks();
    try {
      long begin = THREADS.getCurrentThreadCpuTime();
      ScaledJob job = ScaledJob.compile(id, policy, shape, directory);
      long compiled = THREADS.getCurrentThreadCpuTime();
      long before = usedHeap();
      long start = THREADS.getCurrentThreadCpuTime();
      SimulatedMaster master = new SimulatedMaster(id, job, shape);
      master.run();
      long nanos = THREADS.getCurrentThreadCpuTime() - start - master.taskNanos();
      long retained = usedHeap() - before;
      return new ScaleCost(
          shape, master.tasksRun(), compiled - begin, nanos, retained, master.work());
    } finally {
      FileTrees.delete(directory);
    }
  }

  private static long usedHeap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  double masterMicrosPerTask() {
    return masterNanos / 1e3 / tasksRun;
  }

  double retainedBytesPerTask() {
    return (double) retainedBytes / tasksRun;
  }
}
