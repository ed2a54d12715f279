// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

/**
 * What {@link SideInputProgram} reports when it ends.
 *
 * @param pairs in the side input
 * @param lookups that were made
 * @param found lookups that found all values of their key, and the right ones
 * @param heapBytes the largest heap of its JVM
 */
public record SideInputReport(long pairs, long lookups, long found, long heapBytes) {}
