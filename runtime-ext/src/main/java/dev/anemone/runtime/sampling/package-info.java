// SPDX-License-Identifier: Apache-2.0
/**
 * Sampling while a job runs: measurements of sampled tasks are put together, and run-time passes
 * draw the ranges of consumers from them. Runs in the application master.
 */
package dev.anemone.runtime.sampling;
