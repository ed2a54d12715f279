// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.live;

import dev.anemone.beam.view.ViewSettings;
import dev.anemone.ui.model.JobModel;
import dev.anemone.ui.server.UiServer;
import java.util.Optional;

/**
 * The jobs that are shown, and their server, which is started by the first one and ends with the
 * JVM. Thread-safe.
 */
final class LivePages {

  static final LivePages OF_THIS_JVM = new LivePages();

  private final RunningJobs jobs = new RunningJobs();
  private Optional<UiServer> server = Optional.empty();

  /**
   * Starts the server where there is none, and says on standard error where it is.
   *
   * @throws IllegalArgumentException when it cannot be started as the settings ask
   */
  synchronized void start(ViewSettings settings) {
    if (server.isPresent()) {
      return;
    }
    UiServer started =
        settings.port().isPresent()
            ? UiServer.start(settings.host(), settings.port().get(), jobs)
            : UiServer.startAnywhere(settings.host(), jobs);
    server = Optional.of(started);
    boolean isAsked = settings.port().isEmpty() || settings.port().get() == started.port();
    System.err.println(
        (isAsked ? "" : "Port " + settings.port().get() + " is taken. ")
            + "The job's page is at "
            + started.address());
  }

  void add(JobModel job) {
    jobs.add(job);
  }
}
