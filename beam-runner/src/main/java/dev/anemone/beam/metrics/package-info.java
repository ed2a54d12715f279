// SPDX-License-Identifier: Apache-2.0
/** Beam's metrics: gathered by each step of a task, merged where the pipeline was started. */
package dev.anemone.beam.metrics;
