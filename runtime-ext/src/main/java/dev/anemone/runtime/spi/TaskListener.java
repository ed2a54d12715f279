// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.spi;

/**
 * Hears of the phases of every attempt of every task, in the JVM in which it runs. Found by {@link
 * java.util.ServiceLoader} through the job's class loader; one object for all tasks of a job in one
 * JVM, so it must be thread-safe.
 */
public interface TaskListener {

  /**
   * An attempt has come to a phase. It goes on when this returns; what this throws fails it.
   *
   * @param stage name of the attempt's stage
   */
  void reached(TaskPhase phase, String stage, TaskContext task) throws Exception;
}
