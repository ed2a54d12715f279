// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.crail;

import dev.anemone.evaluation.papers.job.ComparedJobs;
import dev.anemone.evaluation.papers.job.JobCost;
import dev.anemone.evaluation.papers.job.JobRuns;
import dev.anemone.evaluation.papers.job.PooledRun;
import dev.anemone.evaluation.papers.job.Workload;
import dev.anemone.rdma.pool.TierOptions;
import dev.anemone.runtime.resource.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Where jobs keep what lies between their stages. */
enum Store implements ComparedJobs.Side {
  /** Local files, as Spark has them. */
  FILES("files"),
  /** Local files in a file system that has its data in memory. */
  MEMORY("files in memory"),
  /** A pool of memory in another process. */
  POOL("pool"),
  /** A pool in another process that has its data in a file. */
  POOL_ON_DISK("pool on disk");

  private static final List<String> JVM_OPTIONS = List.of("-Xmx2g");
  private static final List<String> PULL = List.of("--optimizationPolicy=Default");
  private static final Path IN_MEMORY = Path.of("/dev/shm");

  private final String title;

  Store(String title) {
    this.title = title;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public JobCost run(JobRuns lab, Workload workload) throws IOException, InterruptedException {
    Optional<JobCost> cost =
        switch (this) {
          case FILES -> lab.run(title, workload, JVM_OPTIONS, PULL);
          case MEMORY -> runInMemory(lab, workload);
          case POOL, POOL_ON_DISK -> runInPool(lab, workload).cost();
        };
    return cost.orElseThrow(() -> lab.failure(title, workload));
  }

  private Optional<JobCost> runInMemory(JobRuns lab, Workload workload)
      throws IOException, InterruptedException {
    Path passing = Files.createTempDirectory(IN_MEMORY, "anemone-evaluation-");
    try {
      return new JobRuns(lab.figures(), lab.directory(), passing, lab.deadline())
          .run(title, workload, JVM_OPTIONS, PULL);
    } finally {
      FileTrees.delete(passing);
    }
  }

  /** The same for a pool, with what it received and sent. */
  PooledRun runInPool(JobRuns lab, Workload workload) throws IOException, InterruptedException {
    long bytes = PooledRun.poolBytes(workload);
    return PooledRun.of(
        lab,
        workload,
        this == POOL_ON_DISK ? TierOptions.file(lab.directory(), bytes) : TierOptions.dram(bytes),
        title,
        JVM_OPTIONS,
        List.of());
  }
}
