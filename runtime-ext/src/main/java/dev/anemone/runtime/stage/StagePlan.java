package dev.anemone.runtime.stage;

import dev.anemone.ir.IREdge;
import dev.anemone.ir.RelayVertex;
import java.util.List;
import java.util.Objects;

/**
 * All that the tasks of a stage need to know; it travels to them.
 *
 * @param jobId the job's id
 * @param jobPayload the front end's bytes for every task; must not be modified
 * @param reportDirectory URI of the directory that receives the reports of successful tasks and the
 *     exceptions of failed ones
 * @param firstTask the number of task 0 among all tasks of the job
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
    int firstTask,
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

  /** Whether the stage is a relay between shuffles, which joins the blocks of its producers. */
  public boolean isAggregation() {
    return stage.vertices().get(0) instanceof RelayVertex
        && inputs.stream()
            .allMatch(
                link -> link.transfer() == Transfer.GROUPED || link.transfer() == Transfer.SPREAD);
  }

  /** The links over which the stage pushes. */
  public List<Link> pushing() {
    return outputs.stream().filter(Link::push).toList();
  }
}
