// SPDX-License-Identifier: Apache-2.0
/** Servers and clients of a pool that are killed at random while they work. */
package dev.anemone.evaluation.robust.poolkills;
