// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.soak;

import dev.anemone.evaluation.lab.ExperimentFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Jobs side by side, of one form, to which one thing happens: when the first is at its work. */
record SoakRound(List<SoakJob> jobs) {

  /** Runs them and what happens, and looks at the results. The cluster is whole afterwards. */
  List<SoakJob.Result> run(List<String> nemoOptions, SoakCluster cluster, SplittableRandom random)
      throws IOException, InterruptedException {
    CompletableFuture<Boolean> damage = new CompletableFuture<>();
    ExecutorService threads = Executors.newFixedThreadPool(jobs.size());
    try {
      List<Future<SoakJob.Result>> running = new ArrayList<>();
      running.add(threads.submit(() -> runFirst(nemoOptions, cluster, random, damage)));
      for (SoakJob other : jobs.subList(1, jobs.size())) {
        running.add(threads.submit(() -> other.run(nemoOptions, cluster, damage::get)));
      }
      List<SoakJob.Result> results = new ArrayList<>();
      for (Future<SoakJob.Result> each : running) {
        results.add(each.get());
      }
      cluster.repair();
      return results;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ExperimentFailure failure) {
        throw failure;
      }
      throw new IOException("A job could not be run", e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  /** Says whether something has happened as soon as it has, or when the job has ended. */
  private SoakJob.Result runFirst(
      List<String> nemoOptions,
      SoakCluster cluster,
      SplittableRandom random,
      CompletableFuture<Boolean> damage)
      throws Exception {
    SoakJob first = jobs.get(0);
    try {
      return first.run(
          nemoOptions,
          cluster,
          () -> {
            boolean happened = cluster.damage(first.fault(), random);
            damage.complete(happened);
            return happened;
          });
    } finally {
      damage.complete(false);
    }
  }
}
