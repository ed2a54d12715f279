// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import dev.anemone.ir.property.PartitionSet;
import dev.anemone.runtime.stage.LinkRanges;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.UUID;
import org.apache.tez.dag.api.UserPayload;

/**
 * Where to find what the tasks of a stage read over a link, as it was decided while the job runs.
 * It comes with the link's input, and takes the place of what the stage's plan says.
 *
 * @param file says it to each task
 */
public record DrawnRanges(PlanFile.Address file) {

  public DrawnRanges {
    Objects.requireNonNull(file, "file");
  }

  /**
   * Writes ranges into a file of the job. Every file has a name of its own: an application master
   * that is run again may draw others, and those that the first has told tasks of stay.
   */
  public static DrawnRanges store(PartitionSet set, JobFiles files) throws IOException {
    return new DrawnRanges(
        PlanFile.write(
            files,
            "drawn-" + UUID.randomUUID(),
            new byte[0],
            set.perTask().size(),
            task -> PlanCodec.write(LinkRanges.of(task, set.perTask(), set.divisions()))));
  }

  /** As Tez carries it. */
  public UserPayload toTez() {
    return UserPayload.create(ByteBuffer.wrap(PlanCodec.write(this)));
  }

  /**
   * What a task reads over the link.
   *
   * @param scope keeps what the tasks of the stage have in common
   * @param task index of the task
   * @throws IOException when the file cannot be read
   */
  public LinkRanges load(JobScope scope, JobFiles files, int task) throws Exception {
    return load(scope.objects(), files, task);
  }

  LinkRanges load(SharedObjects objects, JobFiles files, int task) throws Exception {
    PlanFile opened = objects.get("anemone.plan " + file.name(), () -> PlanFile.open(files, file));
    return PlanCodec.read(ByteBuffer.wrap(opened.ofTask(task)), LinkRanges.class);
  }
}
