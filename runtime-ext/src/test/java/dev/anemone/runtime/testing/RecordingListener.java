// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.testing;

import dev.anemone.runtime.event.JobEventListener;
import dev.anemone.runtime.event.JobEvents;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps the events of the jobs of this JVM, by their ids. */
public final class RecordingListener implements JobEventListener {

  public static final Map<String, JobEvents> JOBS = new ConcurrentHashMap<>();

  @Override
  public void began(JobEvents events) {
    JOBS.put(events.jobId(), events);
  }
}
