// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.stage;

import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * What a producer stage has to do for the samplings that measure it.
 *
 * @param tasks the tasks that go first, ascending
 * @param measured what they measure
 * @param heldFor names of the stages whose ranges have to be drawn before the other tasks start
 */
public record StageSample(List<Integer> tasks, List<MeasuredLink> measured, Set<String> heldFor) {

  public StageSample {
    tasks = List.copyOf(tasks);
    measured = List.copyOf(measured);
    heldFor = Set.copyOf(heldFor);
  }

  /** How many tasks are sampled of a stage that has so many now. */
  public int sampledOf(int stageTasks) {
    return (int) tasks.stream().filter(task -> task < stageTasks).count();
  }

  /**
   * An output link that is measured.
   *
   * @param peer the stage at its other end
   * @param messageId the message that the measurements are for
   * @param readers names of the stages whose ranges are drawn by it; they get the measurements
   */
  public record MeasuredLink(String peer, String messageId, List<String> readers) {

    public MeasuredLink {
      Objects.requireNonNull(peer, "peer");
      Objects.requireNonNull(messageId, "messageId");
      readers = List.copyOf(readers);
    }
  }
}
