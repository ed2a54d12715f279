// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.event.EventLogWriter;
import dev.anemone.runtime.event.ExecutorStarted;
import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.event.JobFinished;
import dev.anemone.runtime.tez.directory.HadoopJobDirectory;
import dev.anemone.runtime.tez.job.JobFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A history that grows while it is read, in the files of two application masters. */
class FollowedHistoryTest {

  private static final JobEvent FIRST = new ExecutorStarted(1, "a", "host", 1, 5);
  private static final JobEvent SECOND = new ExecutorStarted(2, "b", "host", 1, 5);
  private static final JobEvent END =
      new JobFinished(3, JobFinished.State.SUCCEEDED, Optional.empty());

  @TempDir Path directory;
  private final List<JobEvent> heard = new ArrayList<>();
  private FollowedHistory history;

  @BeforeEach
  void follow() throws IOException {
    history =
        new FollowedHistory(
            new JobFiles(HadoopJobDirectory.of(directory.toUri(), new Configuration())),
            heard::add);
  }

  private void append(int master, byte[] bytes) throws IOException {
    Files.write(
        directory.resolve(JobFiles.historyFile(master)),
        bytes,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private static byte[] line(JobEvent event) throws IOException {
    byte[] line = EventLogWriter.line(event);
    byte[] whole = Arrays.copyOf(line, line.length + 1);
    whole[line.length] = '\n';
    return whole;
  }

  @Test
  void eachEventIsHeardOnceWhenItsLineIsWhole() throws IOException {
    history.poll();
    append(1, line(FIRST));
    byte[] second = line(SECOND);
    append(1, Arrays.copyOf(second, 10));
    history.poll();
    assertThat(heard).containsExactly(FIRST);

    append(1, Arrays.copyOfRange(second, 10, second.length));
    history.poll();
    history.poll();
    assertThat(heard).containsExactly(FIRST, SECOND);
  }

  @Test
  void theNextMasterGoesOnAndTheEndIsLeftToTheClient() throws IOException {
    append(1, line(FIRST));
    history.poll();
    append(2, line(SECOND));
    append(2, line(END));
    history.poll();

    assertThat(heard).containsExactly(FIRST, SECOND);
  }
}
