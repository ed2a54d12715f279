// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.task;

import dev.anemone.runtime.spi.CommitAction;
import java.util.ArrayDeque;
import java.util.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a task attempt is to do after its commit. Used by the task's thread. */
public final class CommitActions {

  private static final Logger LOG = LoggerFactory.getLogger(CommitActions.class);

  private final String task;
  private final Queue<CommitAction> actions = new ArrayDeque<>();

  /**
   * Nothing yet.
   *
   * @param task what a person calls it
   */
  public CommitActions(String task) {
    this.task = task;
  }

  /** One more, behind those that there are. */
  public void add(CommitAction action) {
    actions.add(action);
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return actions.isEmpty();
  }

  /**
   * Does all of it, in order and once. The task has committed, so what fails cannot change that: it
   * is logged, and the others are done.
   *
   * @throws InterruptedException when the thread is interrupted; the rest is not done
   */
  public void run() throws InterruptedException {
    while (!actions.isEmpty()) {
      try {
        actions.remove().run();
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception | LinkageError e) {
        LOG.warn("What {} was to do after its commit has failed, and is not repeated", task, e);
      }
    }
  }
}
