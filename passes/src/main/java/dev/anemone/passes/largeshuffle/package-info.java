// SPDX-License-Identifier: Apache-2.0
/**
 * Disk read batching: aggregation relays on shuffles, on all of them, on large ones, or on those
 * whose producers may be taken away.
 */
package dev.anemone.passes.largeshuffle;
