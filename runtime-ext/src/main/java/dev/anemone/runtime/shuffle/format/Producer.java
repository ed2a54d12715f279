// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.format;

/**
 * The task attempt that made a run.
 *
 * @param task index of the task in its stage
 * @param attempt number of the attempt, from 0
 */
public record Producer(int task, int attempt) {}
