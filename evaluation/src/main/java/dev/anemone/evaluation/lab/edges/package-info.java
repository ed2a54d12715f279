// SPDX-License-Identifier: Apache-2.0
/** What went over the edges of a job, as NemoRunner's metrics give it. */
package dev.anemone.evaluation.lab.edges;
