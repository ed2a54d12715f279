// SPDX-License-Identifier: Apache-2.0
/**
 * What passes ask of a graph: which vertices have equally many tasks, run at the same time, wait
 * for each other, carry the same bytes, and how much flows out of them.
 */
package dev.anemone.passes.graph;
