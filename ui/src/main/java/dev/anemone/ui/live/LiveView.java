// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.live;

import dev.anemone.beam.view.JobView;
import dev.anemone.beam.view.ViewSettings;
import dev.anemone.runtime.event.JobEvents;
import dev.anemone.ui.model.JobModel;
import dev.anemone.ui.page.ReportFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A job of this JVM. A thread folds its events, so that nobody who submits or runs it waits; where
 * nobody has named a port, it starts the server only for a job that takes a while.
 */
final class LiveView implements JobView {

  private static final Logger LOG = LoggerFactory.getLogger(LiveView.class);

  /** Nobody looks at a page of a job that is shorter. */
  private static final Duration SHORT = Duration.ofSeconds(1);

  /** Within it the events of a job that has ended are folded. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ViewSettings settings;
  private final LivePages pages;
  private JobModel job;
  private Thread thread;
  private boolean finished;

  LiveView(ViewSettings settings, LivePages pages) {
    this.settings = settings;
    this.pages = pages;
  }

  @Override
  public synchronized void began(JobEvents events) {
    JobModel model = new JobModel(events.jobId());
    job = model;
    thread = new Thread(() -> fold(events.subscribe(), model), "anemone-ui-" + events.jobId());
    thread.setDaemon(true);
    thread.start();
  }

  private void fold(JobEvents.Subscription events, JobModel model) {
    boolean isShown = false;
    long begin = System.nanoTime();
    try {
      if (settings.page() && settings.port().isPresent()) {
        pages.add(model);
        isShown = true;
      }
      while (!events.isAtEnd()) {
        events.next(SHORT).ifPresent(model::add);
        if (settings.page() && !isShown && System.nanoTime() - begin > SHORT.toNanos()) {
          isShown = true;
          show(model);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void show(JobModel model) {
    pages.add(model);
    try {
      pages.start(settings);
    } catch (IllegalArgumentException e) {
      LOG.warn("The job has no page: {}", e.getMessage());
    }
  }

  @Override
  public Optional<String> finish() {
    Thread folding;
    JobModel ended;
    synchronized (this) {
      if (finished || thread == null) {
        return Optional.empty();
      }
      finished = true;
      folding = thread;
      ended = job;
    }
    try {
      folding.join(PATIENCE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
    return settings.report().flatMap(file -> report(ended, file));
  }

  private static Optional<String> report(JobModel job, Path wanted) {
    try {
      return Optional.of(ReportFile.write(job, wanted).toString());
    } catch (IOException e) {
      // The job has done what it was for.
      LOG.error("The report {} cannot be written", wanted, e);
      return Optional.empty();
    }
  }
}
