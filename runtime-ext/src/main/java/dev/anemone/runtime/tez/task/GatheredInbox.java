// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.task;

import dev.anemone.runtime.tez.job.GatheredAnnouncements;
import dev.anemone.runtime.tez.job.JobScope;
import dev.anemone.runtime.tez.job.StagePayload;
import java.util.ArrayList;
import java.util.List;

/**
 * Hands a task what its vertex manager has gathered of its producers, which may come before the
 * task knows its links. Thread-safe.
 */
final class GatheredInbox {

  private final List<Gathered> early = new ArrayList<>();
  private TezLinks links;

  private record Gathered(String stage, List<GatheredAnnouncements.Entry> announcements) {}

  /** From now on all goes to these links, what came before included. */
  synchronized void connect(TezLinks newLinks) {
    links = newLinks;
    early.forEach(each -> links.announced(each.stage(), each.announcements()));
    early.clear();
  }

  /**
   * Takes what the tasks of a stage have announced.
   *
   * @throws IllegalStateException when it cannot be read; Tez lets the attempt fail then
   */
  void take(GatheredAnnouncements gathered, JobScope scope, StagePayload payload) {
    try {
      add(gathered.stage(), scope.asUser(() -> gathered.load(scope, payload.files())));
    } catch (Exception e) {
      throw new IllegalStateException(
          "cannot read what the tasks of " + gathered.stage() + " have announced", e);
    }
  }

  private synchronized void add(String stage, List<GatheredAnnouncements.Entry> announcements) {
    if (links == null) {
      early.add(new Gathered(stage, announcements));
    } else {
      links.announced(stage, announcements);
    }
  }
}
