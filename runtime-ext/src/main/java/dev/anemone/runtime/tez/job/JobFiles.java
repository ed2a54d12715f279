// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import dev.anemone.runtime.engine.EdgeCounters;
import dev.anemone.runtime.engine.Redraw;
import dev.anemone.runtime.engine.TaskReport;
import dev.anemone.runtime.sampling.RunTimePlan;
import dev.anemone.runtime.spi.AgreedFile;
import dev.anemone.runtime.tez.directory.JobDirectory;
import dev.anemone.runtime.tez.directory.MessageReader;
import dev.anemone.runtime.transfer.lineage.TaskLineage;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;

/**
 * What the tasks of a job tell its client, as files of the job's directory: reports of tasks that
 * succeeded, and exceptions of attempts that failed. What attempts tell those that come after them.
 * And what the client tells them that is too much for a plan. Thread-safe.
 */
public final class JobFiles {

  private static final String REPORT = "report-";
  private static final String REDRAW = "redraw-";
  private static final String FAILURE = "failure-";
  private static final String AGREED = "agreed-";
  private static final String PLAN = "plan-";
  private static final String ANNOUNCED = "announced-";
  private static final String GIVEN = "given-";
  private static final String RUN_TIME_PLAN = "run-time-plan";
  private static final String REWRITTEN = "rewritten-";
  private static final String HISTORY = "history-";
  private static final String BEGINNING = "beginning";

  /** Comes after the number of any attempt, as it says why the whole job has failed. */
  private static final int JOB = 999_998;

  /** Comes after all others. */
  private static final int MASTER = 999_999;

  private final JobDirectory directory;

  public JobFiles(JobDirectory directory) {
    this.directory = directory;
  }

  /** The files of a job for one of its tasks, or its application master. */
  public static JobFiles of(String directoryUri) throws IOException {
    return new JobFiles(JobDirectory.of(URI.create(directoryUri)));
  }

  /**
   * What a task reports.
   *
   * @param reports of its operators
   * @param edges counters by edge
   * @param readBytes bytes that it has read, by edge
   * @param lineage which versions of what it has read, and of what it has written
   */
  public record TaskReports(
      List<TaskReport> reports,
      Map<String, EdgeCounters> edges,
      Map<String, Long> readBytes,
      TaskLineage lineage) {}

  /**
   * What the tasks of a job report.
   *
   * @param reports of operators
   * @param edges counters by edge, added up
   * @param readBytes bytes that each consumer task has read, by edge
   * @param redraws what came of samples
   */
  public record JobReports(
      List<TaskReport> reports,
      Map<String, EdgeCounters> edges,
      Map<String, List<Long>> readBytes,
      List<Redraw> redraws) {

    public static final JobReports NONE = new JobReports(List.of(), Map.of(), Map.of(), List.of());
  }

  /** Begins the log of what the tasks of this JVM report. */
  public ReportLog beginReports() throws IOException {
    return new ReportLog(directory.log(REPORT));
  }

  /**
   * Reads what tasks report, as it comes.
   *
   * @param kept what is kept of each report
   */
  public <T> TaskReportReader<T> reports(Function<TaskReports, T> kept) {
    return new TaskReportReader<>(new MessageReader(directory, REPORT), kept);
  }

  /** Notes that a task of a stage was run again and has written something else than before. */
  void markRewritten(String stage) throws IOException {
    directory.write(REWRITTEN + stage, new byte[0]);
  }

  /** Whether {@link #markRewritten} was called for a stage. */
  boolean isRewritten(String stage) throws IOException {
    return directory.contains(REWRITTEN + stage);
  }

  /** Writes what came of a sample; writing the same again does no harm. */
  public void writeRedraw(Redraw redraw) throws IOException {
    String name = URLEncoder.encode(redraw.messageId(), StandardCharsets.UTF_8);
    directory.write(REDRAW + name, PlanCodec.write(redraw));
  }

  /**
   * Writes what the application master needs for run-time passes: once for all stages that wait for
   * them.
   */
  public void writeRunTimePlan(RunTimePlan plan) throws IOException {
    directory.write(RUN_TIME_PLAN, PlanCodec.write(plan));
  }

  /** What {@link #writeRunTimePlan} wrote. */
  public RunTimePlan readRunTimePlan() throws IOException {
    return PlanCodec.read(ByteBuffer.wrap(directory.read(RUN_TIME_PLAN)), RunTimePlan.class);
  }

  /** Writes what the tasks of a stage are told. */
  void writePlan(String name, JobDirectory.Content content) throws IOException {
    directory.write(PLAN + name, content);
  }

  /** Bytes of what {@link #writePlan} wrote. */
  byte[] readPlan(String name, long offset, int length) throws IOException {
    return directory.read(PLAN + name, offset, length);
  }

  /** Writes what the tasks of a stage have announced, for those that read it. */
  void writeAnnouncements(String name, byte[] announcements) throws IOException {
    directory.write(ANNOUNCED + name, announcements);
  }

  /** What {@link #writeAnnouncements} wrote. */
  byte[] readAnnouncements(String name) throws IOException {
    return directory.read(ANNOUNCED + name);
  }

  /** All that was reported. */
  public JobReports readReports() throws IOException {
    List<TaskReport> reports = new ArrayList<>();
    Map<String, EdgeCounters> edges = new TreeMap<>();
    Map<String, SortedMap<Integer, Long>> readBytes = new TreeMap<>();
    reports(Function.identity())
        .read()
        .forEach(
            (task, report) -> {
              reports.addAll(report.reports());
              report
                  .edges()
                  .forEach((edge, counters) -> edges.merge(edge, counters, EdgeCounters::plus));
              report
                  .readBytes()
                  .forEach(
                      (edge, read) ->
                          readBytes
                              .computeIfAbsent(edge, k -> new TreeMap<>())
                              .put(task.index(), read));
            });
    Map<String, List<Long>> bytesPerTask = new TreeMap<>();
    readBytes.forEach((edge, perTask) -> bytesPerTask.put(edge, List.copyOf(perTask.values())));
    List<Redraw> redraws = new ArrayList<>();
    List<JobDirectory.Tail> files =
        directory.list(REDRAW).stream().map(JobDirectory.Tail::all).toList();
    for (byte[] file : directory.readAll(files)) {
      redraws.add(PlanCodec.read(ByteBuffer.wrap(file), Redraw.class));
    }
    return new JobReports(reports, edges, bytesPerTask, redraws);
  }

  /** Writes why the application master could not go on with a stage; no attempt comes after it. */
  public void writeMasterFailure(String stage, Throwable failure) throws IOException {
    writeFailure(stage, 0, MASTER, failure);
  }

  /** Writes why the whole job has to fail, as a task has found. */
  public void writeJobFailure(String stage, int task, Throwable failure) throws IOException {
    writeFailure(stage, task, JOB, failure);
  }

  /** Writes why an attempt failed. */
  public void writeFailure(String stage, int task, int attempt, Throwable failure)
      throws IOException {
    String container = System.getenv().getOrDefault(Environment.CONTAINER_ID.name(), "");
    directory.write(
        FAILURE + attempt(attempt) + ofTask(stage, task),
        FailureCodec.write(stage, task, attempt, container, failure));
  }

  /** Attempts sort by number, so that the last one of a task comes last. */
  private static String attempt(int attempt) {
    return String.format("%06d", attempt);
  }

  private static String ofTask(String stage, int task) {
    return "-" + stage + "-" + task;
  }

  /**
   * The failure of an attempt.
   *
   * @param stage name of its stage
   * @param task index in the stage
   * @param attempt from 0
   * @param container that it ran in; empty when that was the JVM of its client
   * @param ofDataPlane whether the data plane is to blame, and not what the task runs
   * @param failure what it threw
   */
  public record AttemptFailure(
      String stage,
      int task,
      int attempt,
      Optional<String> container,
      boolean ofDataPlane,
      Throwable failure) {

    /** What failed, for a user. */
    public String describe() {
      String where = container.map(id -> " in " + id).orElse("");
      String ofTask = "task " + task + " of " + stage + where;
      return switch (attempt) {
        case MASTER -> stage + " in the application master";
        case JOB -> ofTask;
        default -> ofTask + ", attempt " + attempt;
      };
    }
  }

  /**
   * Why the job has failed: as its master could not go on, as a task has found that the whole job
   * cannot, or else the first failure of what the task runs, since those after it may follow from
   * it. Where all are of the data plane, the last.
   *
   * @param failed the task that made the job fail; where that is not known, it is the one of the
   *     attempt with the highest number
   * @return empty when none of that task's attempts said why it failed
   */
  public Optional<AttemptFailure> readFailure(Optional<FailedTask> failed, ClassLoader classLoader)
      throws IOException {
    List<String> files = directory.list(FAILURE);
    if (files.isEmpty()) {
      return Optional.empty();
    }
    String last = files.get(files.size() - 1);
    if (last.startsWith(FAILURE + attempt(MASTER)) || last.startsWith(FAILURE + attempt(JOB))) {
      return Optional.of(readFailure(last, classLoader));
    }
    int afterAttempt = FAILURE.length() + attempt(MASTER).length();
    String task =
        failed
            .map(known -> ofTask(known.stage(), known.index()))
            .orElse(last.substring(afterAttempt));
    Optional<AttemptFailure> shown = Optional.empty();
    for (String file : files) {
      if (file.substring(afterAttempt).equals(task)) {
        shown = Optional.of(readFailure(file, classLoader));
        if (!shown.get().ofDataPlane()) {
          return shown;
        }
      }
    }
    return shown;
  }

  private AttemptFailure readFailure(String file, ClassLoader classLoader) throws IOException {
    try {
      return FailureCodec.read(directory.read(file), classLoader);
    } catch (ClassNotFoundException e) {
      throw new IOException("cannot read why " + file + " failed", e);
    }
  }

  /** A file that the attempts of a task agree on. */
  public AgreedFile agreedFile(String stage, int task, String name) {
    return directory.agreedFile(AGREED + stage + "-" + task + "-" + name);
  }

  /**
   * The file into which an application master writes what happens to attempts, as events.
   *
   * @param attempt of the master, from 1
   */
  public static String historyFile(int attempt) {
    return HISTORY + String.format("%06d", attempt);
  }

  /** The files of this kind, in the order of the masters. */
  public List<String> historyFiles() throws IOException {
    return directory.list(HISTORY);
  }

  /** What there is of one of {@link #historyFiles} now, from an offset on; it may still grow. */
  public byte[] readHistory(String file, long offset) throws IOException {
    return directory.readFrom(file, offset);
  }

  /** Writes the first events of a job, for others than its client, as lines of a log. */
  public void writeBeginning(byte[] lines) throws IOException {
    directory.write(BEGINNING, lines);
  }

  /** What {@link #writeBeginning} has written; empty where nobody else was to know. */
  public Optional<byte[]> readBeginning() throws IOException {
    return directory.contains(BEGINNING)
        ? Optional.of(directory.read(BEGINNING))
        : Optional.empty();
  }

  /**
   * Has tasks reach files of this machine that a front end gives with its job, by their names.
   *
   * @throws IOException when one cannot be read, or the directory not be written
   */
  public void give(Map<String, Path> files) throws IOException {
    for (Map.Entry<String, Path> file : files.entrySet()) {
      directory.give(GIVEN + file.getKey(), file.getValue());
    }
  }

  /** Opens one of the files that {@link #give} was told of; it belongs to the caller. */
  public InputStream openGiven(String name) throws IOException {
    return directory.open(GIVEN + name);
  }

  /** Whether the directory is there. */
  public boolean exist() throws IOException {
    return directory.exists();
  }

  /** Deletes the directory with all that is in it. */
  void delete() throws IOException {
    directory.delete();
  }
}
