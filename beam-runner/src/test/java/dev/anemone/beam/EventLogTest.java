// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.runtime.event.EventLogReader;
import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.event.JobFinished;
import dev.anemone.runtime.event.JobStarted;
import dev.anemone.runtime.event.MetricValues;
import dev.anemone.runtime.event.PlanMade;
import dev.anemone.runtime.event.StagesPlanned;
import dev.anemone.runtime.event.TaskFinished;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log that a pipeline leaves with {@code --eventLog}. */
class EventLogTest {

  @TempDir Path logs;

  /** Options of a program. */
  public interface ProgramOptions extends PipelineOptions {
    String getDatabasePassword();

    void setDatabasePassword(String databasePassword);
  }

  @BeforeAll
  static void register() {
    PipelineOptionsFactory.register(ProgramOptions.class);
  }

  private Pipeline pipeline(String... arguments) {
    return Pipeline.create(
        PipelineOptionsFactory.fromArgs(
                Stream.concat(
                        Stream.of("--runner=NemoRunner", "--eventLog=" + logs),
                        Stream.of(arguments))
                    .toArray(String[]::new))
            .create());
  }

  private List<JobEvent> log() throws IOException {
    List<JobEvent> events = new ArrayList<>();
    try (Stream<Path> files = Files.list(logs)) {
      Path file =
          files.filter(path -> path.toString().endsWith(".jsonl")).findFirst().orElseThrow();
      try (EventLogReader reader = new EventLogReader(Files.newInputStream(file))) {
        for (var event = reader.next(); event.isPresent(); event = reader.next()) {
          events.add(event.get());
        }
      }
    }
    return events;
  }

  private static <E extends JobEvent> List<E> only(Class<E> kind, List<JobEvent> events) {
    return events.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  @Test
  void hasThePlansTheTasksAndTheMetricsOfAWordCount() throws IOException {
    Pipeline pipeline = pipeline("--summary=false", "--slots=2", "--databasePassword=abc");
    pipeline
        .apply(Create.of("to", "be", "or", "not", "to", "be"))
        .apply("Look", ParDo.of(new CountWords()))
        .apply(Count.perElement());
    assertThat(pipeline.run().waitUntilFinish()).isEqualTo(PipelineResult.State.DONE);
    List<JobEvent> log = log();

    JobStarted started = (JobStarted) log.get(0);
    assertThat(started.policy()).isEqualTo("Default");
    assertThat(started.options())
        .containsEntry("slots", "2")
        .containsEntry("databasePassword", "(hidden)");
    List<PlanMade> plans = only(PlanMade.class, log);
    assertThat(plans.get(0).pass()).isEmpty();
    assertThat(plans.get(0).dag().orElseThrow().path("vertices")).isNotEmpty();
    assertThat(plans).as("plans").anyMatch(PlanMade::changed).anyMatch(plan -> !plan.changed());
    assertThat(plans).allMatch(plan -> plan.changed() == plan.dag().isPresent());
    int tasks =
        only(StagesPlanned.class, log)
            .get(only(StagesPlanned.class, log).size() - 1)
            .stages()
            .stream()
            .mapToInt(StagesPlanned.Stage::tasks)
            .sum();
    assertThat(only(TaskFinished.class, log).stream().map(t -> t.stage() + "-" + t.task()))
        .doesNotHaveDuplicates()
        .hasSize(tasks);
    assertThat(only(MetricValues.class, log)).hasSize(1);
    assertThat(only(MetricValues.class, log).get(0).counters())
        .contains(new MetricValues.Counter("Look/ParMultiDo(CountWords)", "test", "words", 6));
  }

  @Test
  void hasTheExceptionOfAJobThatFails() throws IOException {
    Pipeline pipeline = pipeline("--maxTaskAttempts=2");
    pipeline.apply(Create.of(1)).apply("Fail", ParDo.of(new Fail()));
    assertThatThrownBy(pipeline::run).isInstanceOf(FailedPipelineException.class);
    List<JobEvent> log = log();

    List<TaskFinished> failed =
        only(TaskFinished.class, log).stream()
            .filter(task -> task.state() == TaskFinished.State.FAILED)
            .collect(Collectors.toList());
    assertThat(failed).hasSize(2);
    assertThat(failed).allMatch(task -> task.cause().orElseThrow().contains("<script>"));
    Optional<JobFinished.Failure> failure = only(JobFinished.class, log).get(0).failure();
    assertThat(failure.orElseThrow().stackTrace())
        .contains("<script>", "EventLogTest$Fail.process");
  }

  @Test
  void theLogOfADetachedJobIsNotOnTheMachineOfItsClient() {
    NemoPipelineOptions options =
        PipelineOptionsFactory.fromArgs("--eventLog=" + logs, "--detached")
            .as(NemoPipelineOptions.class);

    assertThatThrownBy(() -> EventLogSetting.of(options))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("--eventLog=" + logs)
        .hasMessageContaining("Name a directory of the cluster's file system");
    options.setEventLog("hdfs://host:8020/logs");
    assertThat(EventLogSetting.of(options)).contains(URI.create("hdfs://host:8020/logs"));
  }

  private static final class CountWords extends DoFn<String, String> {
    private static final long serialVersionUID = 1L;
    private final Counter words = Metrics.counter("test", "words");

    @ProcessElement
    public void process(@Element String word, OutputReceiver<String> out) {
      words.inc();
      out.output(word);
    }
  }

  private static final class Fail extends DoFn<Integer, Integer> {
    private static final long serialVersionUID = 1L;

    @ProcessElement
    public void process(@Element Integer element) {
      if (element > 0) {
        throw new IllegalStateException("planned <script>");
      }
    }
  }
}
