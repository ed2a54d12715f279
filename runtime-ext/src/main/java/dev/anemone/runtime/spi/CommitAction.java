// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.spi;

/** What an attempt of a task does when it has committed, see {@link TaskContext#afterCommit}. */
@FunctionalInterface
public interface CommitAction {

  /** Called once; what it throws is logged, and changes nothing of the task. */
  void run() throws Exception;
}
