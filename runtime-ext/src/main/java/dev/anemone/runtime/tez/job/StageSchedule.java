// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import dev.anemone.runtime.stage.DiscardableOutput;
import dev.anemone.runtime.stage.Redrawing;
import dev.anemone.runtime.stage.StageSample;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What the vertex manager of a stage is told.
 *
 * @param jobId the job's id
 * @param reportDirectory URI of the job's directory for reports and failures
 * @param vertices ids of the stage's vertices
 * @param inputs which stages its tasks wait for
 * @param discardable what its tasks write that goes when it has been read
 * @param near a stage near whose task of the same index each task should run
 * @param nearby stages near whose tasks its own should run if these turn out to read all that some
 *     of those wrote
 * @param sample which tasks go first, because they are measured
 * @param redrawing how the stage's ranges are drawn while the job runs, if they are
 * @param reports whether the stage reports what came of it; one does for each message
 */
public record StageSchedule(
    String jobId,
    String reportDirectory,
    Set<String> vertices,
    Inputs inputs,
    List<DiscardableOutput> discardable,
    Optional<String> near,
    Set<String> nearby,
    Optional<StageSample> sample,
    Optional<Redrawing> redrawing,
    boolean reports) {

  public StageSchedule {
    Objects.requireNonNull(jobId, "jobId");
    Objects.requireNonNull(reportDirectory, "reportDirectory");
    vertices = Set.copyOf(vertices);
    Objects.requireNonNull(inputs, "inputs");
    discardable = List.copyOf(discardable);
    Objects.requireNonNull(near, "near");
    nearby = Set.copyOf(nearby);
    Objects.requireNonNull(sample, "sample");
    Objects.requireNonNull(redrawing, "redrawing");
  }

  /**
   * Which stages the tasks of a stage wait for.
   *
   * @param pushing stages that push into this one, or that it reads as they finish
   * @param oneToOne stages of which each task reads the task of its index
   * @param after stages that have to be finished before the first task
   * @param drawn stages that have to know their ranges, and so how many tasks they have, before the
   *     first task
   */
  public record Inputs(
      Set<String> pushing, Set<String> oneToOne, Set<String> after, Set<String> drawn) {

    public Inputs {
      pushing = Set.copyOf(pushing);
      oneToOne = Set.copyOf(oneToOne);
      after = Set.copyOf(after);
      drawn = Set.copyOf(drawn);
    }
  }

  /** The stages that have to know their ranges before the tasks start that are not sampled. */
  public Set<String> heldFor() {
    return sample.map(StageSample::heldFor).orElse(Set.of());
  }
}
