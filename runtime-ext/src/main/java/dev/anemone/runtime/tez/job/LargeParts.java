// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import dev.anemone.ir.IRVertex;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.runtime.stage.StagePlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Parts of sources that hold much data themselves, as those of Beam's {@code Create} do. The plan
 * of a stage goes to each of its tasks, and Tez hands it on in messages that must not be large; so
 * such a part lies in a file of the job's directory, and the task that reads it gets it from there.
 */
public final class LargeParts {

  /**
   * What all parts of a source may take in a plan, if they are no {@linkplain #MOST_BYTES_OF_SMALL
   * small} ones. Each of the stage's tasks gets the plan, and the plans of all stages are in one
   * message of Tez, which Hadoop limits to 64 MB.
   */
  private static final int MOST_BYTES_IN_PLAN = 1 << 20;

  /**
   * A part of so many bytes is always in the plan: a source of files has a part for each task, and
   * as many files would be as many requests to HDFS, one after the other, before the job starts.
   */
  private static final int MOST_BYTES_OF_SMALL = 4 << 10;

  private static final String IN_FILE = "anemone:in-file:";

  private LargeParts() {}

  /** Moves large parts into files; the plan says that they are there. */
  public static StagePlan store(StagePlan plan, JobFiles files) throws IOException {
    List<IRVertex> vertices = new ArrayList<>();
    for (IRVertex vertex : plan.stage().vertices()) {
      vertices.add(vertex instanceof SourceVertex source ? store(source, files) : vertex);
    }
    return plan.withVertices(vertices);
  }

  private static SourceVertex store(SourceVertex source, JobFiles files) throws IOException {
    List<SourcePart> parts = new ArrayList<>(source.parts());
    int most = Math.max(MOST_BYTES_OF_SMALL, MOST_BYTES_IN_PLAN / Math.max(1, parts.size()));
    for (int i = 0; i < parts.size(); i++) {
      FunctionSpec spec = parts.get(i).spec();
      if (spec.payloadSize() > most) {
        files.writePart(source.id(), i, spec.payload());
        parts.set(i, with(parts.get(i), FunctionSpec.of(IN_FILE + spec.urn())));
      }
    }
    return source.withParts(parts);
  }

  /** Gets the large parts that a task reads from their files. */
  public static StagePlan load(StagePlan plan, int task, JobFiles files) throws IOException {
    List<IRVertex> vertices = new ArrayList<>();
    for (IRVertex vertex : plan.stage().vertices()) {
      vertices.add(vertex instanceof SourceVertex source ? load(source, task, files) : vertex);
    }
    return plan.withVertices(vertices);
  }

  private static SourceVertex load(SourceVertex source, int task, JobFiles files)
      throws IOException {
    List<SourcePart> parts = new ArrayList<>(source.parts());
    for (int i : source.partsOfTask(task)) {
      String urn = parts.get(i).spec().urn();
      if (urn.startsWith(IN_FILE)) {
        byte[] bytes = files.readPart(source.id(), i);
        parts.set(i, with(parts.get(i), FunctionSpec.of(urn.substring(IN_FILE.length()), bytes)));
      }
    }
    return source.withParts(parts);
  }

  private static SourcePart with(SourcePart part, FunctionSpec spec) {
    return new SourcePart(spec, part.sizeBytes(), part.hosts());
  }
}
