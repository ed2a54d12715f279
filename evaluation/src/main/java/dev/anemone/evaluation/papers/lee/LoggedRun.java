// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.lee;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.papers.job.JobLog;
import dev.anemone.runtime.event.EdgesCounted.EdgeTotals;
import dev.anemone.runtime.event.StagesPlanned.Stage;
import dev.anemone.runtime.event.StagesPlanned.StageLink;
import dev.anemone.runtime.event.TaskFinished;
import dev.anemone.ui.model.JobHead;
import dev.anemone.ui.model.JobModel;
import dev.anemone.ui.model.StageView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A job that has ended, as its event log tells it. */
final class LoggedRun {
  private static final String RELAY = "relay to ";

  private final JobHead head;
  private final List<TaskFinished> attempts;

  private LoggedRun(JobModel job) {
    this.head = job.head();
    this.attempts = job.attempts(0);
  }

  /** Reads the only log in a directory. */
  static LoggedRun in(Path directory) throws IOException {
    return new LoggedRun(JobLog.only(directory));
  }

  /** The stage that reads most bytes, relays left out. */
  Consumer busiestConsumer() {
    return consumer(
        head.counts().stream()
            .filter(stage -> !isRelay(stage.stage()))
            .max(Comparator.comparingLong(StageView::readBytes))
            .orElseThrow()
            .stage());
  }

  /** The stage that reads, perhaps through a relay, what the stage with an operator writes. */
  Consumer consumerOf(String operator) {
    Stage producer =
        head.stages().stream()
            .filter(stage -> stage.operators().stream().anyMatch(name -> name.endsWith(operator)))
            .findFirst()
            .orElseThrow(() -> new ExperimentFailure("No stage has a step '%s'.", operator));
    String reader = readerOf(producer.stage());
    return consumer(isRelay(reader) ? readerOf(reader) : reader);
  }

  private String readerOf(String stage) {
    return head.links().stream()
        .filter(link -> link.from().equals(stage))
        .map(StageLink::to)
        .findFirst()
        .orElseThrow(() -> new ExperimentFailure("No stage reads what %s writes.", stage));
  }

  private boolean isRelay(String stage) {
    return head.stages().stream()
        .anyMatch(known -> known.stage().equals(stage) && known.name().startsWith(RELAY));
  }

  private Consumer consumer(String stage) {
    Set<String> before = new HashSet<>();
    addProducers(stage, before);
    long begin = head.counts().stream().mapToLong(StageView::startedAt).min().orElseThrow();
    long produced =
        head.counts().stream()
            .filter(view -> before.contains(view.stage()))
            .mapToLong(StageView::endedAt)
            .max()
            .orElse(begin);
    long consumed =
        head.counts().stream()
            .filter(view -> view.stage().equals(stage))
            .mapToLong(StageView::endedAt)
            .max()
            .orElseThrow();
    List<Long> readBytes =
        attempts.stream()
            .filter(attempt -> attempt.stage().equals(stage))
            .filter(attempt -> attempt.state() == TaskFinished.State.SUCCEEDED)
            .map(attempt -> attempt.read().bytes())
            .toList();
    List<EdgeTotals> edges =
        head.links().stream()
            .filter(link -> link.to().equals(stage))
            .flatMap(link -> totals(link).stream())
            .toList();
    return new Consumer(
        (produced - begin) / 1e3,
        (consumed - produced) / 1e3,
        edges.stream().mapToLong(EdgeTotals::storedBytes).sum(),
        edges.stream().mapToLong(EdgeTotals::diskReadBytes).sum(),
        edges.stream().mapToLong(EdgeTotals::diskSeeks).sum(),
        readBytes);
  }

  private void addProducers(String stage, Set<String> producers) {
    for (StageLink link : head.links()) {
      if (link.to().equals(stage) && producers.add(link.from())) {
        addProducers(link.from(), producers);
      }
    }
  }

  private Optional<EdgeTotals> totals(StageLink link) {
    return head.edges().map(counted -> counted.edges().get(String.join("+", link.edges())));
  }

  /**
   * A stage, and what came before it.
   *
   * @param producingSeconds from the job's first task to the end of all that the stage reads
   * @param consumingSeconds from there to the stage's end
   * @param storedBytes that were stored for it
   * @param diskReadBytes that it read from local files
   * @param diskSeeks among its reads
   * @param taskBytes bytes of keys and values that each of its tasks read
   */
  record Consumer(
      double producingSeconds,
      double consumingSeconds,
      long storedBytes,
      long diskReadBytes,
      long diskSeeks,
      List<Long> taskBytes) {

    double seconds() {
      return producingSeconds + consumingSeconds;
    }

    /** How many times as much as a task on average the busiest one reads. */
    double maxToMean() {
      long all = taskBytes.stream().mapToLong(Long::longValue).sum();
      long most = taskBytes.stream().mapToLong(Long::longValue).max().orElse(0);
      return all == 0 ? 1 : (double) most * taskBytes.size() / all;
    }
  }
}
