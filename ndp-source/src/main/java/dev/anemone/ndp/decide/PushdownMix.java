// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

/**
 * A job whose splits are not all treated alike, so that no side waits for another: some push more
 * operators than the others.
 *
 * @param fewer operators that are pushed for a part of the splits
 * @param more operators that are pushed for the rest; the same as {@code fewer} when nothing is
 *     gained by treating splits differently
 * @param shareOfMore part of the splits, from 0 to 1, that push more
 * @param seconds until the job is done
 */
public record PushdownMix(int fewer, int more, double shareOfMore, double seconds) {}
