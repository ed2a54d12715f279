// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.engine;

import dev.anemone.ir.IRDag;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.RunTimePass;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A pipeline that is ready to run.
 *
 * @param name what a person calls it
 * @param dag the IR with every property that the engine needs, as a policy leaves it
 * @param runTimePasses passes to be applied while it runs; each has a public constructor without
 *     parameters, since the application master makes its own
 * @param passContext what these passes may know of the job
 * @param payload opaque bytes of the front end, given to every task; must not be modified
 * @param files of this machine that tasks may read, by name, see {@link
 *     dev.anemone.runtime.spi.TaskContext#jobFile}; they stay as they are until the job has ended
 * @param classLoader loads the front end's and the user's code
 * @param story what the front end tells of the job
 */
@SuppressWarnings("ArrayRecordComponent") // handed through, never compared
public record Job(
    String name,
    IRDag dag,
    List<RunTimePass<?>> runTimePasses,
    PassContext passContext,
    byte[] payload,
    Map<String, Path> files,
    ClassLoader classLoader,
    JobStory story) {

  public Job {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(dag, "dag");
    runTimePasses = List.copyOf(runTimePasses);
    Objects.requireNonNull(passContext, "passContext");
    Objects.requireNonNull(payload, "payload");
    files = Map.copyOf(files);
    Objects.requireNonNull(classLoader, "classLoader");
    Objects.requireNonNull(story, "story");
  }

  /** A job without files, of which its front end tells nothing. */
  public Job(
      String name,
      IRDag dag,
      List<RunTimePass<?>> runTimePasses,
      PassContext passContext,
      byte[] payload,
      ClassLoader classLoader) {
    this(name, dag, runTimePasses, passContext, payload, Map.of(), classLoader, JobStory.NONE);
  }
}
