// SPDX-License-Identifier: Apache-2.0
/** How the time of a job grows: with its data, its tasks, and the skew of its keys. */
package dev.anemone.evaluation.papers.scale;
