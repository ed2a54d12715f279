// SPDX-License-Identifier: Apache-2.0
/**
 * Skewed keys, at compile time and at run time: which shuffles are measured and by which sampled
 * tasks; and then, from what these have sent, the ranges that each consumer task reads. Stages that
 * turn out to read little get fewer tasks.
 */
package dev.anemone.passes.skew;
