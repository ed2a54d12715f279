// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.live;

import dev.anemone.runtime.event.JobEvents;
import dev.anemone.runtime.event.MasterPage;
import dev.anemone.ui.model.JobModel;
import dev.anemone.ui.server.UiException;
import dev.anemone.ui.server.UiServer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** The pages of an application master's jobs, behind the cluster's proxy. */
public final class ProxiedPage implements MasterPage {

  /** How long a thread waits for an event before it looks whether the job has ended. */
  private static final Duration WAIT = Duration.ofSeconds(1);

  private final RunningJobs jobs = new RunningJobs();
  private Optional<UiServer> server = Optional.empty();

  @Override
  public synchronized URI start(Audience audience) throws IOException {
    try {
      UiServer started = UiServer.startBehindProxy(audience, jobs);
      server = Optional.of(started);
      return URI.create(started.address());
    } catch (UiException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public void show(JobEvents events) {
    JobModel model = new JobModel(events.jobId());
    jobs.add(model);
    Thread thread = new Thread(() -> fold(events, model), "anemone-ui-" + events.jobId());
    thread.setDaemon(true);
    thread.start();
  }

  private static void fold(JobEvents events, JobModel model) {
    JobEvents.Subscription subscription = events.subscribe();
    try {
      while (!subscription.isAtEnd()) {
        subscription.next(WAIT).ifPresent(model::add);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public synchronized void close() {
    server.ifPresent(UiServer::close);
  }
}
