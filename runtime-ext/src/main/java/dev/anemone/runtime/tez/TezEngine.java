package dev.anemone.runtime.tez;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.property.ClonedScheduling;
import dev.anemone.passes.RunTimePasses;
import dev.anemone.runtime.engine.Engine;
import dev.anemone.runtime.engine.EngineOptions;
import dev.anemone.runtime.engine.InvalidJobException;
import dev.anemone.runtime.engine.Job;
import dev.anemone.runtime.engine.RunningJob;
import dev.anemone.runtime.sampling.RunTimePlan;
import dev.anemone.runtime.stage.Resizing;
import dev.anemone.runtime.stage.Sampling;
import dev.anemone.runtime.stage.StageGraph;
import dev.anemone.runtime.stage.StagePartitioner;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.stage.StagePlanner;
import dev.anemone.runtime.stage.TransferSeparation;
import dev.anemone.runtime.transfer.DataPlane;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs jobs on Tez sessions inside this JVM (Tez's local mode): the DAG, its scheduling and its
 * recovery are the same as on a cluster.
 *
 * <p>Sessions are kept for the life of the JVM and shared by all engines, so only the first job
 * pays for starting one. A JVM has one set of sessions per temporary directory.
 */
public final class TezEngine implements Engine {

  private static final double DEFAULT_SLOW_TASK_THRESHOLD = 1.0;
  private static final Map<Path, LocalSessions> SESSIONS = new HashMap<>();
  private static final AtomicInteger THREADS = new AtomicInteger();
  private static final ExecutorService MONITORS =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "anemone-job-" + THREADS.incrementAndGet());
            thread.setDaemon(true);
            return thread;
          });

  private final EngineOptions options;

  private TezEngine(EngineOptions options) {
    this.options = options;
  }

  /** An engine in this JVM. */
  public static TezEngine local(EngineOptions options) {
    return new TezEngine(options);
  }

  @Override
  public RunningJob submit(Job job) {
    JobValidator.validate(job.dag());
    StageGraph graph =
        TransferSeparation.separate(StagePartitioner.partition(Sampling.originals(job.dag())));
    LocalSessions sessions = sessions(options.tempDirectory());
    String jobId = UUID.randomUUID().toString();
    Path directory = sessions.root().resolve("job-" + jobId);
    List<StagePlan> plans =
        new StagePlanner(graph, Sampling.of(job.dag()))
            .plan(jobId, job.payload(), directory.toUri().toString());
    DataPlane dataPlane = dataPlane(sessions, plans);
    try {
      Files.createDirectory(directory);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a directory for job " + job.name(), e);
    }
    TezJob running =
        new TezJob(
            job,
            jobId,
            plans,
            runTimePlan(job, plans),
            sessions,
            dataPlane,
            new LocalSession.Settings(options.slots(), slowTaskThreshold(job.dag())),
            options);
    MONITORS.execute(running::run);
    return running;
  }

  /** Empty when no stage waits for run-time passes. */
  private static Optional<RunTimePlan> runTimePlan(Job job, List<StagePlan> plans) {
    if (plans.stream().allMatch(plan -> plan.redrawing().isEmpty())) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new RunTimePlan(
              job.dag(),
              RunTimePasses.names(job.runTimePasses()),
              job.passContext().slots(),
              job.passContext().memoryPerTaskBytes(),
              job.passContext().options(),
              Resizing.resizableVertices(plans)));
    } catch (IllegalArgumentException e) {
      throw new InvalidJobException(e.getMessage(), e);
    }
  }

  private DataPlane dataPlane(LocalSessions sessions, List<StagePlan> plans) {
    try {
      DataPlane dataPlane = sessions.dataPlanes().of(options, plans);
      plans.forEach(dataPlane.shares()::requireEnough);
      return dataPlane;
    } catch (IllegalArgumentException e) {
      throw new InvalidJobException(e.getMessage(), e);
    }
  }

  /** The threshold is one for a session: the most eager of the job's vertices decides. */
  private static double slowTaskThreshold(IRDag dag) {
    return dag.vertices().stream()
        .map((IRVertex vertex) -> vertex.property(ClonedScheduling.class))
        .flatMap(Optional::stream)
        .mapToDouble(ClonedScheduling::slowTaskThreshold)
        .min()
        .orElse(DEFAULT_SLOW_TASK_THRESHOLD);
  }

  private static LocalSessions sessions(Path tempDirectory) {
    synchronized (SESSIONS) {
      return SESSIONS.computeIfAbsent(
          tempDirectory.toAbsolutePath().normalize(),
          directory -> {
            TezOutputFilter.install();
            try {
              Files.createDirectories(directory);
              return new LocalSessions(Files.createTempDirectory(directory, "anemone-"));
            } catch (IOException e) {
              throw new UncheckedIOException(
                  "cannot make a directory for temporary files in " + directory, e);
            }
          });
    }
  }
}
