// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import dev.anemone.runtime.event.AttemptTimes;
import dev.anemone.runtime.event.PlanMade;
import dev.anemone.runtime.event.TaskFinished;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** A job as JSON for browsers. */
public final class JobJson {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .addModule(new Jdk8Module())
          .serializationInclusion(JsonInclude.Include.NON_EMPTY)
          .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
          .build();

  private JobJson() {}

  /** A list of jobs. */
  public static void writeList(List<JobSummary> jobs, OutputStream out) throws IOException {
    MAPPER.writeValue(out, jobs);
  }

  /** All but plans and attempts. */
  public static void writeHead(JobHead head, OutputStream out) throws IOException {
    MAPPER.writeValue(out, head);
  }

  /** The plans of a job, in their order. */
  public static void writePlans(List<PlanMade> plans, OutputStream out) throws IOException {
    MAPPER.writeValue(out, plans);
  }

  /**
   * Attempts, each an array: stage, task, attempt, executor, state (S, F or K), whether speculative
   * (1), waited from, started, ended, the nine parts of its time, records and bytes read, records
   * and bytes written, bytes spilled, cause.
   */
  public static void writeAttempts(List<TaskFinished> attempts, OutputStream out)
      throws IOException {
    try (JsonGenerator json = MAPPER.createGenerator(out)) {
      json.writeStartArray();
      for (TaskFinished attempt : attempts) {
        writeAttempt(attempt, json);
      }
      json.writeEndArray();
    }
  }

  /** A whole job, as an object with {@code head}, {@code plans} and {@code tasks}. */
  public static void writeAll(JobModel job, OutputStream out) throws IOException {
    try (JsonGenerator json = MAPPER.createGenerator(out)) {
      json.writeStartObject();
      json.writeFieldName("head");
      MAPPER.writeValue(json, job.head());
      json.writeFieldName("plans");
      MAPPER.writeValue(json, job.plans());
      json.writeFieldName("tasks");
      json.writeStartArray();
      for (TaskFinished attempt : job.attempts(0)) {
        writeAttempt(attempt, json);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
  }

  private static void writeAttempt(TaskFinished attempt, JsonGenerator json) throws IOException {
    json.writeStartArray();
    json.writeString(attempt.stage());
    json.writeNumber(attempt.task());
    json.writeNumber(attempt.attempt());
    json.writeString(attempt.executor().orElse(""));
    json.writeString(attempt.state().name().substring(0, 1));
    json.writeNumber(attempt.speculative() ? 1 : 0);
    json.writeNumber(attempt.waitedFrom());
    json.writeNumber(attempt.startedAt());
    json.writeNumber(attempt.time());
    AttemptTimes times = attempt.times();
    for (long part :
        new long[] {
          times.input(),
          times.fetchWait(),
          times.compute(),
          times.sort(),
          times.spill(),
          times.push(),
          times.write(),
          times.commit(),
          times.gc(),
          attempt.read().records(),
          attempt.read().bytes(),
          attempt.written().records(),
          attempt.written().bytes(),
          attempt.spilledBytes()
        }) {
      json.writeNumber(part);
    }
    json.writeString(attempt.cause().orElse(""));
    json.writeEndArray();
  }
}
