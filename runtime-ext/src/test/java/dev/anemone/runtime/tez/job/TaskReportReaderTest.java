// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.tez.directory.JobDirectory;
import dev.anemone.runtime.tez.directory.LocalJobDirectory;
import dev.anemone.runtime.transfer.lineage.TaskLineage;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaskReportReaderTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int ASKING = 4;

  @TempDir private Path directory;
  private final AtomicInteger readings = new AtomicInteger();
  private final Semaphore mayRead = new Semaphore(0);

  /** A directory in which every reading of reports waits until it may begin. */
  private JobDirectory slow(JobDirectory files) {
    return (JobDirectory)
        Proxy.newProxyInstance(
            JobDirectory.class.getClassLoader(),
            new Class<?>[] {JobDirectory.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("list")) {
                readings.incrementAndGet();
                mayRead.acquire();
              }
              return method.invoke(files, arguments);
            });
  }

  private static void report(JobDirectory files, int task) throws IOException {
    try (ReportLog log = new JobFiles(files).beginReports()) {
      log.write(
          "stage0",
          task,
          0,
          new JobFiles.TaskReports(
              List.of(), Map.of(), Map.of(), new TaskLineage(Map.of(), Map.of("e", 1L * task))));
    }
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(end);
      Thread.onSpinWait();
    }
  }

  /** After a node is lost many tasks ask, and a reading takes a way to each executor's log. */
  @Test
  void whoeverAsksDuringAReadingSharesTheNextOne() throws Exception {
    LocalJobDirectory files = new LocalJobDirectory(directory.resolve("job"));
    files.create();
    TaskReportReader<TaskLineage> reader =
        new JobFiles(slow(files)).reports(JobFiles.TaskReports::lineage);
    Thread first = new Thread(new FutureTask<>(() -> reader.read("stage0", 0)));
    first.start();
    await(() -> readings.get() == 1);

    List<FutureTask<Optional<TaskLineage>>> asked = new ArrayList<>();
    List<Thread> asking = new ArrayList<>();
    for (int task = 0; task < ASKING; task++) {
      int number = task;
      asked.add(new FutureTask<>(() -> reader.read("stage0", number)));
      asking.add(new Thread(asked.get(task)));
      asking.get(task).start();
    }
    await(() -> asking.stream().allMatch(each -> each.getState() == Thread.State.BLOCKED));
    mayRead.release();
    first.join(LIMIT.toMillis());
    for (int task = 0; task < ASKING; task++) {
      report(files, task);
    }
    mayRead.release();

    for (int task = 0; task < ASKING; task++) {
      assertThat(asked.get(task).get(LIMIT.toSeconds(), TimeUnit.SECONDS).orElseThrow().read())
          .containsEntry("e", 1L * task);
    }
    assertThat(readings).hasValue(2);

    mayRead.release();
    assertThat(reader.read("stage0", ASKING)).isEmpty();
    assertThat(readings).hasValue(3);
  }
}
