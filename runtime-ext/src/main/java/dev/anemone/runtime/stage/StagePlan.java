package dev.anemone.runtime.stage;

import dev.anemone.ir.IREdge;
import java.util.List;
import java.util.Objects;

/**
 * All that the tasks of a stage need to know; it travels to them.
 *
 * @param jobId the job's id
 * @param jobPayload the front end's bytes for every task; must not be modified
 * @param reportDirectory URI of the directory that receives the reports of successful tasks and the
 *     exceptions of failed ones
 * @param stage the vertices
 * @param inner the edges between them
 * @param inputs links from other stages
 * @param outputs links to other stages
 */
@SuppressWarnings("ArrayRecordComponent") // handed through, never compared
public record StagePlan(
    String jobId,
    byte[] jobPayload,
    String reportDirectory,
    Stage stage,
    List<IREdge> inner,
    List<Link> inputs,
    List<Link> outputs) {

  public StagePlan {
    Objects.requireNonNull(jobId, "jobId");
    Objects.requireNonNull(jobPayload, "jobPayload");
    Objects.requireNonNull(reportDirectory, "reportDirectory");
    Objects.requireNonNull(stage, "stage");
    inner = List.copyOf(inner);
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }
}
