// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.sampling;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.message.Message;
import dev.anemone.ir.message.ShuffleSizes;
import dev.anemone.ir.message.TaskTimes;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassException;
import dev.anemone.passes.PassRunner;
import dev.anemone.passes.RunTimePass;
import dev.anemone.passes.RunTimePasses;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Applies the run-time passes of a job to its graph, message by message. All stages whose ranges a
 * message draws get the same decision. Thread-safe.
 */
public final class RunTimeOptimizer {

  private final PassRunner runner = PassRunner.standard();
  private final List<RunTimePass<?>> passes;
  private final PassContext context;
  private final Map<String, Decision> decisions = new HashMap<>();
  private IRDag dag;

  /**
   * An optimizer of a job.
   *
   * @param classLoader loads the passes
   * @throws IllegalArgumentException when a pass cannot be loaded; names it
   */
  public RunTimeOptimizer(RunTimePlan plan, ClassLoader classLoader) {
    this.passes = RunTimePasses.load(plan.passes(), classLoader);
    this.context = plan.context();
    this.dag = plan.dag();
  }

  /**
   * What came of a message.
   *
   * @param message the message
   * @param before the graph before
   * @param after the graph after all passes that take such a message
   * @param notes what the passes say of it
   * @param passMillis how long they took, in milliseconds
   */
  public record Decision(
      ShuffleSizes message, IRDag before, IRDag after, List<String> notes, long passMillis) {

    public Decision {
      notes = List.copyOf(notes);
    }
  }

  /**
   * What the passes make of a message: the first time they are run, after that the answer stays.
   * Each pass takes what it can of the times of the sampled tasks and of the message, in this
   * order.
   *
   * @param millis how long these tasks ran, for each shuffle of the message
   * @param started ids of the vertices of which tasks have started
   * @throws PassException when a pass fails, or does what it must not do
   */
  public synchronized Decision decide(
      ShuffleSizes message, List<List<Long>> millis, Set<String> started) {
    Decision known = decisions.get(message.messageId());
    if (known != null) {
      return known;
    }
    long start = System.nanoTime();
    IRDag before = dag;
    List<String> notes = new ArrayList<>();
    List<Message> measured = new ArrayList<>(times(message, millis));
    measured.add(message);
    for (RunTimePass<?> pass : passes) {
      for (Message part : measured) {
        if (pass.messageType().isInstance(part)) {
          OptimizationStep step = runner.runTime(pass, dag, part, context.withStarted(started));
          notes.addAll(step.notes());
          dag = step.after();
        }
      }
    }
    Decision decision =
        new Decision(
            message, before, dag, notes, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    decisions.put(message.messageId(), decision);
    return decision;
  }

  /** Shuffles of one producer have been measured by the same tasks, so these count once. */
  private List<TaskTimes> times(ShuffleSizes message, List<List<Long>> millis) {
    Map<String, TaskTimes> times = new LinkedHashMap<>();
    for (int i = 0; i < millis.size(); i++) {
      for (String edge : message.shuffles().get(i).edges()) {
        String producer = dag.edge(edge).from();
        times.putIfAbsent(producer, new TaskTimes(message.messageId(), producer, millis.get(i)));
      }
    }
    return List.copyOf(times.values());
  }
}
