// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.model;

/**
 * A job in a list.
 *
 * @param id how it is found
 * @param name what a person calls it
 * @param policy that optimized it
 * @param state how it stands
 * @param startedAt time of its first event, in milliseconds since 1970; 0 before there is one
 * @param lastAt time of its last event, likewise
 * @param attempts of tasks that have ended
 */
public record JobSummary(
    String id,
    String name,
    String policy,
    JobState state,
    long startedAt,
    long lastAt,
    int attempts) {}
