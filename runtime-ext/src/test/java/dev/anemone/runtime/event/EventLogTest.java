// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class EventLogTest {

  private static final long NOW = 1_700_000_000_000L;

  private static final TaskFinished TASK =
      new TaskFinished(
          NOW,
          "stage2",
          7,
          1,
          Optional.of("container_1700000000000_0001_01_000002"),
          TaskFinished.State.FAILED,
          true,
          NOW - 900,
          NOW - 400,
          new AttemptTimes(10, 20, 300, 40, 5, 6, 7, 8, 9),
          new TaskFinished.Amount(1_000, 20_000),
          new TaskFinished.Amount(500, 4_000),
          123,
          Optional.of("java.lang.IllegalStateException: \"no\"\nsuch <script>"));

  static List<JobEvent> oneOfEachKind() throws IOException {
    return List.of(
        new JobStarted(
            NOW,
            JobStarted.VERSION,
            "0.1.0",
            "job1",
            "word count",
            "Default",
            Map.of("slots", "4"),
            new JobStarted.Environment(
                "17.0.1", "Linux 6", "here", 2, 1L << 30, 1L << 28, "local")),
        new PlanMade(
            NOW,
            0,
            Optional.empty(),
            true,
            List.of(),
            Optional.of(new ObjectMapper().readTree("{\"vertices\":[{\"id\":\"v1\"}]}"))),
        new PlanMade(
            NOW, 1, Optional.of("Default/Parallelism"), false, List.of("note"), Optional.empty()),
        new StagesPlanned(
            NOW,
            List.of(new StagesPlanned.Stage("s1", "read", List.of("v1"), 3, List.of("Read"))),
            List.of(
                new StagesPlanned.StageLink(
                    "s1", "s2", List.of("e1"), "SHUFFLE", "LOCAL_FILE", "PULL"))),
        new ExecutorStarted(NOW, "x1", "host1", 1, 1L << 30),
        new ExecutorLost(NOW, "x1", "node lost"),
        TASK,
        new JobProgress(
            NOW,
            Map.of(
                "s1",
                new JobProgress.StageProgress(1, 2, 3, 4),
                "s2",
                new JobProgress.StageProgress(
                    1,
                    2,
                    3,
                    4,
                    Optional.of(
                        new JobProgress.Counted(
                            new TaskFinished.Amount(5, 60), new TaskFinished.Amount(7, 80), 9)))),
            Map.of("x1", new JobProgress.MemoryUse(5, 6, 0))),
        new RangesRedrawn(
            NOW,
            "m1",
            "s2",
            "e1",
            List.of(9L, 1L),
            List.of(5L, 5L),
            16,
            List.of(new RangesRedrawn.HotPartition(3, 8, 2)),
            2,
            3,
            40,
            50,
            List.of("divided")),
        new EdgesCounted(
            NOW,
            Map.of(
                "e1",
                new EdgesCounted.EdgeTotals(
                    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22)),
            Map.of("e1", List.of(1L, 2L))),
        new PushdownDecided(
            NOW,
            "v1",
            "part-0",
            Optional.of("host1"),
            List.of("filter"),
            Optional.of(new PushdownDecided.Prediction(10, 20)),
            Optional.of(new PushdownDecided.Prediction(100, 90)),
            Optional.of(11L),
            Optional.of("the node is away")),
        new MetricValues(
            NOW,
            List.of(new MetricValues.Counter("step", "ns", "words", 5)),
            List.of(new MetricValues.Distribution("step", "ns", "sizes", 2, 9, 4, 5)),
            List.of(new MetricValues.Gauge("step", "ns", "last", 3, NOW))),
        new JobFinished(
            NOW,
            JobFinished.State.FAILED,
            Optional.of(
                new JobFinished.Failure(
                    "boom", "boom\n\tat x", Optional.of("s1"), Optional.of(0), Optional.empty()))));
  }

  @Test
  void whatIsWrittenIsRead() throws IOException {
    List<JobEvent> events = oneOfEachKind();

    assertThat(events.stream().map(Object::getClass).distinct())
        .as("kinds that this test knows")
        .containsExactlyInAnyOrderElementsOf(
            Arrays.<Class<?>>asList(JobEvent.class.getPermittedSubclasses()));
    assertThat(read(written(events), 0, 0)).isEqualTo(events);
  }

  @Test
  void anEventIsALineThatNamesItsKind() throws IOException {
    String text = new String(written(List.of(TASK)), StandardCharsets.UTF_8);

    assertThat(text)
        .startsWith("{\"event\":\"task-finished\",\"time\":1700000000000,")
        .endsWith("}\n");
    assertThat(text.lines()).hasSize(1);
    assertThat(text).contains("\"times\":{\"input\":10,\"fetchWait\":20,").hasSizeLessThan(600);
  }

  @Test
  void whatIsNotKnownIsLeftOut() throws IOException {
    TaskFinished bare =
        new TaskFinished(
            NOW,
            "s",
            0,
            0,
            Optional.empty(),
            TaskFinished.State.KILLED,
            false,
            NOW,
            NOW,
            new AttemptTimes(0, 0, 3, 0, 0, 0, 0, 0, 0),
            TaskFinished.Amount.NONE,
            TaskFinished.Amount.NONE,
            0,
            Optional.empty());

    String text = new String(EventLogWriter.line(bare), StandardCharsets.UTF_8);

    assertThat(text)
        .contains("\"times\":{\"compute\":3}")
        .doesNotContain("cause", "executor", "spilledBytes", "speculative");
    assertThat(read((text + "\n").getBytes(StandardCharsets.UTF_8), 0, 0)).containsExactly(bare);
  }

  @Test
  void fieldsAndKindsOfLaterVersionsAreSkipped() throws IOException {
    String log =
        """
        {"event":"executor-lost","time":5,"executor":"x","cause":"c","shoeSize":43}
        {"event":"moon-phase","time":6,"phase":"full"}
        {"event":"executor-lost","time":7,"executor":"y"}
        """;

    assertThat(read(log.getBytes(StandardCharsets.UTF_8), 0, 1))
        .containsExactly(new ExecutorLost(5, "x", "c"), new ExecutorLost(7, "y", ""));
  }

  @Test
  void whatIsNoEventIsCounted() throws IOException {
    byte[] whole = written(oneOfEachKind());
    byte[] cutOff = Arrays.copyOf(whole, whole.length - 20);

    assertThat(read(cutOff, 1, 0)).isEqualTo(oneOfEachKind().subList(0, 12));

    String noEvents =
        "\u0000\u0000\n[1,2]\n{\"time\":3}\n\n{\"event\":\"executor-lost\",\"time\":1}\n";
    assertThat(read(noEvents.getBytes(StandardCharsets.UTF_8), 4, 0)).isEmpty();
  }

  private static byte[] written(List<JobEvent> events) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (EventLogWriter writer = new EventLogWriter(bytes)) {
      for (JobEvent event : events) {
        writer.write(event);
      }
    }
    return bytes.toByteArray();
  }

  private static List<JobEvent> read(byte[] log, long unreadable, long unknown) throws IOException {
    List<JobEvent> events = new ArrayList<>();
    try (EventLogReader reader = new EventLogReader(new ByteArrayInputStream(log))) {
      for (var event = reader.next(); event.isPresent(); event = reader.next()) {
        events.add(event.get());
      }
      assertThat(reader.unreadableLines()).as("lines that are no event").isEqualTo(unreadable);
      assertThat(reader.unknownEvents()).as("events of unknown kinds").isEqualTo(unknown);
    }
    return events;
  }

  /**
   * Each attempt has all that it can have, and the job takes so long that progress is told often.
   */
  @Test
  void theLogOfTenThousandTasksIsSmall() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    LoggedEvents logged = LoggedEvents.ofLog();
    Map<String, JobProgress.StageProgress> stages = new TreeMap<>();
    Map<String, JobProgress.MemoryUse> memory = new TreeMap<>();
    for (int i = 0; i < 30; i++) {
      stages.put("stage" + i, new JobProgress.StageProgress(100, 9_999, 100, 10_000));
      memory.put("executor" + i, new JobProgress.MemoryUse(1L << 33, 1L << 33, 1L << 33));
    }
    try (EventLogWriter writer = new EventLogWriter(out)) {
      for (int i = 0; i < 10_000; i++) {
        long time = NOW + i * 3_600L;
        for (JobEvent event :
            List.of(
                new TaskFinished(
                    time,
                    "stage29",
                    i,
                    0,
                    TASK.executor(),
                    TaskFinished.State.SUCCEEDED,
                    false,
                    time,
                    time,
                    new AttemptTimes(
                        100_000, 100_000, 100_000, 100_000, 100_000, 100_000, 100_000, 100_000, 1),
                    new TaskFinished.Amount(100_000_000, 10_000_000_000L),
                    new TaskFinished.Amount(100_000_000, 10_000_000_000L),
                    10_000_000_000L,
                    Optional.empty()),
                new JobProgress(time, stages, memory))) {
          for (JobEvent line : logged.after(event)) {
            writer.write(line);
          }
        }
      }
    }

    assertThat(out.size()).isBetween(1_000_000, 10_000_000);
  }
}
