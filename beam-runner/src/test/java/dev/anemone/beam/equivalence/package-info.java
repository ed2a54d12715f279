// SPDX-License-Identifier: Apache-2.0
/** Random pipelines over skewed data, and the same answer from every policy. */
package dev.anemone.beam.equivalence;
