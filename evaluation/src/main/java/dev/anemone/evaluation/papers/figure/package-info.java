// SPDX-License-Identifier: Apache-2.0
/** Figures of the papers that the project follows, and what came of repeating them. */
package dev.anemone.evaluation.papers.figure;
