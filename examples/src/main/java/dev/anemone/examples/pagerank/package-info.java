// SPDX-License-Identifier: Apache-2.0
/**
 * PageRank: a program that reads one collection, the graph, again in every iteration. As a pipeline
 * of Beam knows no loops, the iterations are written one after the other.
 */
package dev.anemone.examples.pagerank;
