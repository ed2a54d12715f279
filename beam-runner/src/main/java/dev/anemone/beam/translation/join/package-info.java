// SPDX-License-Identifier: Apache-2.0
/** Finds joins in a pipeline, and which of their sides tasks may divide. */
package dev.anemone.beam.translation.join;
