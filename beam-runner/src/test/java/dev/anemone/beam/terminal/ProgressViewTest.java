// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.event.EventLogWriter;
import dev.anemone.runtime.event.JobEvents;
import dev.anemone.runtime.event.JobFinished;
import dev.anemone.runtime.event.JobProgress.StageProgress;
import dev.anemone.runtime.event.TaskFinished.Amount;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgressViewTest {

  @TempDir Path logs;

  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private final CountDownLatch drawn = new CountDownLatch(2);
  private final PrintStream out =
      new PrintStream(shown, true, StandardCharsets.UTF_8) {
        @Override
        public void flush() {
          super.flush();
          drawn.countDown();
        }
      };
  private final JobEvents events = new JobEvents("id");
  private final ProgressView view =
      new ProgressView(
          SourceSizes.UNKNOWN,
          Optional.empty(),
          List.of("/tmp/words-*"),
          () -> new ProgressDisplay.Bars(new Board(() -> out), () -> 100));

  private void begin() {
    long now = System.currentTimeMillis();
    view.began(events);
    events.publish(TestEvents.started(now));
    events.publish(TestEvents.planned(now));
    events.publish(
        TestEvents.progress(now, new StageProgress(2, 1, 0, 4), new StageProgress(0, 0, 0, 2)));
  }

  private void end() {
    events.publish(TestEvents.finished(System.currentTimeMillis(), JobFinished.State.SUCCEEDED));
  }

  private String text() {
    return shown.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aShortJobIsNotShown() {
    begin();
    end();

    assertThat(view.finish(Optional.of("job.html"), out)).isFalse();
    assertThat(text()).isEmpty();
  }

  @Test
  void aJobThatTakesTimeHasBarsThatGoAndALineThatStays() throws Exception {
    begin();
    assertThat(drawn.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(text()).contains("Read lines [=====>              ] 25 %, 1/4 tasks");
    end();

    assertThat(view.finish(Optional.of("job.html"), out)).isTrue();
    assertThat(text()).contains("\r\u001b[Jwordcount: done in ");
    assertThat(text())
        .endsWith("; result: /tmp/words-*; report: job.html" + System.lineSeparator());
  }

  @Test
  void theLastRunIsTheNewestThatSucceededWithTheSameStages() throws Exception {
    log("old.jsonl", 2_000, JobFinished.State.SUCCEEDED, 1);
    log("newer.jsonl", 7_000, JobFinished.State.SUCCEEDED, 2);
    log("failed.jsonl", 9_000, JobFinished.State.FAILED, 3);
    Files.writeString(logs.resolve("other.jsonl"), "no event\n");

    LastRun run = LastRun.find(logs.toString(), LastRun.names(TestEvents.planned(0)));

    assertThat(run.stages()).containsExactlyEntriesOf(Map.of("s0", Duration.ofSeconds(7)));
    assertThat(LastRun.find(logs.toString(), Map.of("s0", "another"))).isEqualTo(LastRun.NONE);
    assertThat(LastRun.find(logs + "/none", Map.of())).isEqualTo(LastRun.NONE);
  }

  private void log(String name, long took, JobFinished.State state, int minute) throws IOException {
    Path file = logs.resolve(name);
    try (EventLogWriter writer = new EventLogWriter(Files.newOutputStream(file))) {
      writer.write(TestEvents.started(0));
      writer.write(TestEvents.planned(0));
      writer.write(TestEvents.task("s0", 0, 1_000, 1_000 + took, Amount.NONE, Amount.NONE));
      writer.write(TestEvents.finished(took, state));
    }
    Files.setLastModifiedTime(file, FileTime.fromMillis(Duration.ofMinutes(minute).toMillis()));
  }
}
