// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

/**
 * Is told of the jobs of this JVM that run or are followed. Found by {@link
 * java.util.ServiceLoader} on the class path of the engine. Events are only made when there is such
 * a listener, or a log is asked for. Thread-safe, as jobs may begin side by side.
 */
public interface JobEventListener {

  /**
   * A job begins. Called by the thread that submits it, so it should return soon; an exception
   * keeps the job from running.
   *
   * @param events all of the job's events, from its first one on
   */
  void began(JobEvents events);

  /**
   * Whether it wants what the front end has to tell, plans and metrics. Those take time to make,
   * and are told to all when one wants them.
   */
  default boolean wantsStory() {
    return true;
  }
}
