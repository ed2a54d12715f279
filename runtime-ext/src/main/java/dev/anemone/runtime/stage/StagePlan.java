// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.stage;

import dev.anemone.ir.CombinerVertex;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.RelayVertex;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * All that the tasks of a stage need to know; it travels to them, to each with its {@linkplain
 * TaskPlan own} parts and ranges.
 *
 * @param job of the stage
 * @param firstTask the number of task 0 among all tasks of the job
 * @param stage the vertices
 * @param inner the edges between them
 * @param inputs links from other stages
 * @param outputs links to other stages
 * @param sample what the stage does for samplings that measure it, if any does
 * @param redrawing how its ranges are drawn while the job runs, if they are
 */
public record StagePlan(
    Job job,
    int firstTask,
    Stage stage,
    List<IREdge> inner,
    List<Link> inputs,
    List<Link> outputs,
    Optional<StageSample> sample,
    Optional<Redrawing> redrawing) {

  /**
   * What is the same for all tasks of a job.
   *
   * @param id the job's id
   * @param payload the front end's bytes for every task; must not be modified
   * @param reportDirectory URI of the directory that receives the reports of successful tasks and
   *     the exceptions of failed ones; empty until the job has a place to run
   * @param waits how long attempts wait for something
   */
  @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
  public record Job(String id, byte[] payload, String reportDirectory, TaskWaits waits) {

    public Job {
      Objects.requireNonNull(id, "id");
      Objects.requireNonNull(payload, "payload");
      Objects.requireNonNull(reportDirectory, "reportDirectory");
      Objects.requireNonNull(waits, "waits");
    }

    /** A job whose attempts wait as long as it is usual. */
    public Job(String id, byte[] payload, String reportDirectory) {
      this(id, payload, reportDirectory, TaskWaits.DEFAULT);
    }
  }

  public StagePlan {
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(stage, "stage");
    inner = List.copyOf(inner);
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    Objects.requireNonNull(sample, "sample");
    Objects.requireNonNull(redrawing, "redrawing");
  }

  /** The same plan with other input links. */
  public StagePlan withInputs(List<Link> newInputs) {
    return new StagePlan(job, firstTask, stage, inner, newInputs, outputs, sample, redrawing);
  }

  /** The same plan with other output links. */
  public StagePlan withOutputs(List<Link> newOutputs) {
    return new StagePlan(job, firstTask, stage, inner, inputs, newOutputs, sample, redrawing);
  }

  /** The same plan, whose stage has other vertices. */
  public StagePlan withVertices(List<IRVertex> newVertices) {
    return new StagePlan(
        job,
        firstTask,
        new Stage(stage.name(), stage.parallelism(), newVertices),
        inner,
        inputs,
        outputs,
        sample,
        redrawing);
  }

  /** The same plan, whose tasks report to another directory. */
  public StagePlan withReportDirectory(String newDirectory) {
    return withJob(new Job(job.id, job.payload, newDirectory, job.waits));
  }

  /** The same plan in a job of another id. */
  public StagePlan withJobId(String newId) {
    return withJob(new Job(newId, job.payload, job.reportDirectory, job.waits));
  }

  private StagePlan withJob(Job newJob) {
    return new StagePlan(newJob, firstTask, stage, inner, inputs, outputs, sample, redrawing);
  }

  /** Whether the stage is a relay between shuffles, which joins the blocks of its producers. */
  public boolean isAggregation() {
    return stage.vertices().get(0) instanceof RelayVertex
        && inputs.stream()
            .allMatch(
                link -> link.transfer() == Transfer.GROUPED || link.transfer() == Transfer.SPREAD);
  }

  /** Whether the stage combines accumulators that were combined before, and does nothing else. */
  public boolean isRecombining() {
    return stage.vertices().get(0) instanceof CombinerVertex
        && inputs.stream().allMatch(link -> link.transfer() == Transfer.GROUPED);
  }

  /** The links over which the stage pushes. */
  public List<Link> pushing() {
    return outputs.stream().filter(Link::push).toList();
  }
}
