// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.passes.OptimizationTrace;
import dev.anemone.runtime.event.AttemptTimes;
import dev.anemone.runtime.event.EdgesCounted;
import dev.anemone.runtime.event.EdgesCounted.EdgeTotals;
import dev.anemone.runtime.event.EventLogWriter;
import dev.anemone.runtime.event.ExecutorLost;
import dev.anemone.runtime.event.ExecutorStarted;
import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.event.JobFinished;
import dev.anemone.runtime.event.JobProgress;
import dev.anemone.runtime.event.JobStarted;
import dev.anemone.runtime.event.MetricValues;
import dev.anemone.runtime.event.PushdownDecided;
import dev.anemone.runtime.event.RangesRedrawn;
import dev.anemone.runtime.event.StagesPlanned;
import dev.anemone.runtime.event.TaskFinished;
import dev.anemone.runtime.stage.Stage;
import dev.anemone.runtime.stage.StageGraph;
import dev.anemone.runtime.stage.StagePartitioner;
import dev.anemone.ui.model.JobModel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/**
 * A job that never ran: its plan is what a policy makes of a real pipeline, and the rest is drawn
 * from a seed, so that two jobs of the same measure are alike.
 */
final class SampleJob {

  private static final long START = 1_767_225_600_000L;
  private static final int EXECUTORS = 4;
  private static final int SLOTS = 2;

  private final Random random = new Random(1);
  private final String id;
  private final String policy;
  private final OptimizationTrace trace;
  private final int tasks;
  private final List<JobEvent> events = new ArrayList<>();
  private final Map<String, Long> free = new TreeMap<>();

  private SampleJob(String id, String policy, int branches, int tasks) {
    this.id = id;
    this.policy = policy;
    this.trace = SamplePlans.counting(policy, branches);
    this.tasks = tasks;
    begin();
  }

  /**
   * The events of a job up to its last attempt.
   *
   * @param branches of the pipeline
   * @param tasks of each of its stages
   */
  static List<JobEvent> running(String id, String policy, int branches, int tasks) {
    SampleJob job = new SampleJob(id, policy, branches, tasks);
    job.attempts();
    return job.events;
  }

  /** Those of a job that succeeded. */
  static List<JobEvent> succeeded(String id, String policy, int branches, int tasks) {
    SampleJob job = new SampleJob(id, policy, branches, tasks);
    job.attempts();
    job.end(JobFinished.State.SUCCEEDED, Optional.empty());
    return job.events;
  }

  /** Those of a job that failed in a user's code. */
  static List<JobEvent> failed(String id) {
    SampleJob job = new SampleJob(id, "Default", 1, 6);
    job.attempts();
    job.end(
        JobFinished.State.FAILED,
        Optional.of(
            new JobFinished.Failure(
                "java.lang.ArithmeticException: / by zero",
                """
                java.lang.ArithmeticException: / by zero
                \tat com.example.Clicks$RatioFn.processElement(Clicks.java:42)
                \tat com.example.Clicks$RatioFn$DoFnInvoker.invokeProcessElement(Unknown Source)
                Caused by: java.lang.IllegalStateException: <b>no impressions</b>
                """,
                Optional.of("stage2"),
                Optional.of(3),
                Optional.of("Ratio/ParMultiDo(RatioFn)"))));
    return job.events;
  }

  /** A job of such events. */
  static JobModel model(String id, List<JobEvent> events) {
    JobModel model = new JobModel(id);
    events.forEach(model::add);
    return model;
  }

  /** The lines of its log. */
  static String log(List<JobEvent> events) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (EventLogWriter writer = new EventLogWriter(bytes)) {
      for (JobEvent event : events) {
        writer.write(event);
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private void begin() {
    events.add(
        new JobStarted(
            START,
            JobStarted.VERSION,
            "0.1.0",
            id,
            "Clicks by user, " + policy,
            policy,
            Map.of(
                "optimizationPolicy",
                policy,
                "input",
                "/data/clicks/<img src=x onerror=alert(1)>",
                "parallelism",
                "" + tasks),
            new JobStarted.Environment(
                "17.0.13", "Linux 6.1", "worker-1", 4, 4L << 30, 1L << 30, "local")));
    events.addAll(SamplePlans.events(trace, START + 40));
    for (int i = 0; i < EXECUTORS; i++) {
      events.add(
          new ExecutorStarted(START + 300 + 40L * i, executor(i), "worker-" + i, SLOTS, 2L << 30));
      for (int slot = 0; slot < SLOTS; slot++) {
        free.put(executor(i) + "/" + slot, START + 400 + 40L * i);
      }
    }
  }

  private static String executor(int i) {
    return "executor-" + i;
  }

  private void attempts() {
    IRDag dag = trace.result();
    StageGraph graph = StagePartitioner.partition(dag);
    List<StagesPlanned.Stage> stages = new ArrayList<>();
    Map<String, String> stageOf = new HashMap<>();
    int number = 0;
    for (Stage stage : graph.stages()) {
      String name = "stage" + number++;
      List<String> vertices = stage.vertices().stream().map(vertex -> vertex.id()).toList();
      vertices.forEach(vertex -> stageOf.put(vertex, name));
      stages.add(
          new StagesPlanned.Stage(
              name,
              stage.vertices().get(stage.vertices().size() - 1).name(),
              vertices,
              tasks,
              stage.vertices().stream().map(vertex -> vertex.name()).toList()));
    }
    Map<String, StagesPlanned.StageLink> links = new LinkedHashMap<>();
    for (IREdge edge : dag.edges()) {
      String from = stageOf.get(edge.from());
      String to = stageOf.get(edge.to());
      if (!from.equals(to)) {
        links.put(
            edge.id(),
            new StagesPlanned.StageLink(
                from, to, List.of(edge.id()), edge.pattern().name(), "LOCAL_FILE", "PULL"));
      }
    }
    events.add(new StagesPlanned(START + 200, stages, List.copyOf(links.values())));
    List<JobEvent> attempts = new ArrayList<>();
    long ready = START + 420;
    for (StagesPlanned.Stage stage : stages) {
      long end = ready;
      for (int task = 0; task < tasks; task++) {
        end = Math.max(end, task(stage.stage(), task, ready, attempts));
      }
      ready = end;
    }
    attempts.add(new ExecutorLost(START + 1400, executor(3), "the container was <killed>"));
    attempts.sort(Comparator.comparingLong(JobEvent::time));
    events.addAll(attempts);
    redraw(stages.get(stages.size() - 1).stage(), links);
  }

  private long task(String stage, int task, long ready, List<JobEvent> attempts) {
    String slot = free.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow().getKey();
    long start = Math.max(free.get(slot), ready) + random.nextInt(4);
    long length = 60L + random.nextInt(120) + (task % 7 == 3 ? 240 : 0);
    boolean fails = task % 11 == 5;
    if (fails) {
      attempts.add(
          attempt(stage, task, 0, slot, TaskFinished.State.FAILED, ready, start, length / 2));
      start += length / 2 + 5;
    }
    attempts.add(
        attempt(
            stage, task, fails ? 1 : 0, slot, TaskFinished.State.SUCCEEDED, ready, start, length));
    free.put(slot, start + length);
    return start + length;
  }

  private TaskFinished attempt(
      String stage,
      int task,
      int attempt,
      String slot,
      TaskFinished.State state,
      long ready,
      long start,
      long length) {
    boolean good = state == TaskFinished.State.SUCCEEDED;
    long sorted = length / 5;
    return new TaskFinished(
        start + length,
        stage,
        task,
        attempt,
        Optional.of(slot.substring(0, slot.indexOf('/'))),
        state,
        task % 13 == 7,
        Math.min(ready, start),
        start,
        new AttemptTimes(
            length / 8,
            length / 10,
            length / 3,
            sorted,
            task % 5 == 0 ? length / 10 : 0,
            0,
            length / 8,
            length / 30,
            length / 40),
        good ? new TaskFinished.Amount(9_000L + task, 700_000 + 9_000L * task) : null,
        good ? new TaskFinished.Amount(8_000, 400_000 + 20_000L * (task % 9)) : null,
        task % 5 == 0 ? 120_000 : 0,
        good
            ? Optional.empty()
            : Optional.of("java.io.IOException: <b>connection reset</b> by worker-3"));
  }

  private void redraw(String consumer, Map<String, StagesPlanned.StageLink> links) {
    if (!policy.equals("DataSkew")) {
      return;
    }
    List<Long> plain = new ArrayList<>();
    List<Long> drawn = new ArrayList<>();
    for (int task = 0; task < tasks; task++) {
      plain.add(task == 4 ? 9_400_000L : 700_000L + random.nextInt(900_000));
      drawn.add(1_500_000L + random.nextInt(350_000));
    }
    events.add(
        new RangesRedrawn(
            START + 1200,
            "message-1",
            consumer,
            links.keySet().iterator().next(),
            plain,
            drawn,
            tasks * 16,
            List.of(new RangesRedrawn.HotPartition(67, 8_100_000, 5)),
            1,
            tasks - 1,
            180,
            12,
            List.of("partition 67 has more than a task's share and is divided")));
  }

  private void end(JobFinished.State state, Optional<JobFinished.Failure> failure) {
    long last = events.stream().mapToLong(JobEvent::time).max().orElseThrow();
    for (long time = START + 500; time < last; time += 1 + (last - START) / 40) {
      Map<String, JobProgress.MemoryUse> use = new TreeMap<>();
      for (int i = 0; i < EXECUTORS; i++) {
        use.put(
            executor(i),
            new JobProgress.MemoryUse(
                (400L << 20) + random.nextInt(300 << 20),
                (100L << 20) + (time - START) * 20_000,
                60L << 20));
      }
      events.add(new JobProgress(time, Map.of(), use));
    }
    Map<String, EdgeTotals> edges = new TreeMap<>();
    Map<String, List<Long>> read = new TreeMap<>();
    long bytes = 48_000_000;
    for (JobEvent event : List.copyOf(events)) {
      if (event instanceof StagesPlanned planned) {
        for (StagesPlanned.StageLink link : planned.links()) {
          String edge = link.edges().get(0);
          edges.put(
              edge,
              new EdgeTotals(
                  bytes / 60,
                  bytes,
                  bytes / 2,
                  3,
                  bytes / 9,
                  40,
                  7,
                  bytes / 2,
                  0,
                  0,
                  0,
                  0,
                  0,
                  0,
                  0,
                  0,
                  0,
                  0,
                  0,
                  bytes / 4,
                  0,
                  9_000_000));
          read.put(edge, random.longs(tasks, 500_000, 2_500_000).boxed().toList());
          bytes = Math.max(2_000_000, bytes / 3);
        }
      }
    }
    events.add(new EdgesCounted(last + 5, edges, read));
    events.add(
        new PushdownDecided(
            last + 5,
            "v1",
            "clicks-00.parquet:0+64MB",
            Optional.of("worker-2"),
            List.of("Filter", "Project"),
            Optional.of(new PushdownDecided.Prediction(1200, 2100)),
            Optional.of(new PushdownDecided.Prediction(8100, 9700)),
            Optional.of(1180L),
            Optional.empty()));
    events.add(
        new PushdownDecided(
            last + 5,
            "v1",
            "clicks-01.parquet:0+9MB",
            Optional.empty(),
            List.of(),
            Optional.of(new PushdownDecided.Prediction(900, 300)),
            Optional.of(new PushdownDecided.Prediction(8100, 8000)),
            Optional.of(320L),
            Optional.of("pushing was not worth it")));
    events.add(
        new MetricValues(
            last + 6,
            List.of(
                new MetricValues.Counter("Parse", "com.example.Clicks", "parsed", 1_000_000),
                new MetricValues.Counter("Parse", "com.example.Clicks", "<i>malformed</i>", 12)),
            List.of(
                new MetricValues.Distribution(
                    "By user", "com.example.Clicks", "clicks", 1000, 1_000_000, 1, 9400)),
            List.of()));
    events.add(new JobFinished(last + 10, state, failure));
  }
}
