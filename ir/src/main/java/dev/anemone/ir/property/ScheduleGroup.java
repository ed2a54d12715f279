// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

/**
 * Vertices of one group are scheduled together; a group starts after the groups that it pulls from.
 *
 * @param group number of the group, at least 0, never lower than that of a producer
 */
public record ScheduleGroup(int group) implements VertexProperty {

  public ScheduleGroup {
    if (group < 0) {
      throw new IllegalArgumentException("schedule group must not be negative, was " + group);
    }
  }
}
