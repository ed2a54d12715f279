// SPDX-License-Identifier: Apache-2.0
/**
 * Samples the tables of a job before it starts: what the operators behind a source leave of its
 * bytes and take of a processor, and how fast its bytes come. The cost model is told so.
 */
package dev.anemone.beam.ndp.sample;
