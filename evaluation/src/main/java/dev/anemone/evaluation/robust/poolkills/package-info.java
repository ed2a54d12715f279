/** Servers and clients of a pool that are killed at random while they work. */
package dev.anemone.evaluation.robust.poolkills;
