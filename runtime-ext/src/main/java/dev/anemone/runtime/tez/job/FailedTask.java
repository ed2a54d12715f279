// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The task that made its job fail, as it had no attempts left.
 *
 * @param stage name of its stage
 * @param index in the stage
 */
public record FailedTask(String stage, int index) {

  private static final Pattern TASK =
      Pattern.compile("Task failed, taskId=task_(\\d+_\\d+_\\d+_\\d+)_(\\d+)");
  private static final Pattern VERTEX =
      Pattern.compile("vertexName=(.+?), vertexId=vertex_(\\d+_\\d+_\\d+_\\d+)");

  /**
   * The first task that failed for good, by what Tez says of a DAG. Tez has no other way to ask for
   * it, and this one is the same when the application has ended.
   */
  public static Optional<FailedTask> in(List<String> diagnostics) {
    String all = String.join("\n", diagnostics);
    Matcher task = TASK.matcher(all);
    if (!task.find()) {
      return Optional.empty();
    }
    return VERTEX
        .matcher(all)
        .results()
        .filter(vertex -> vertex.group(2).equals(task.group(1)))
        .map(vertex -> new FailedTask(vertex.group(1), Integer.parseInt(task.group(2))))
        .findFirst();
  }
}
