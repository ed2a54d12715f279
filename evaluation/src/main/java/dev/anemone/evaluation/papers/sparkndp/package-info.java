// SPDX-License-Identifier: Apache-2.0
/**
 * The simulated figures of <em>SparkNDP</em> (Rachuri et al.): two clusters, the network between
 * them, and queries that arrive one after the other.
 */
package dev.anemone.evaluation.papers.sparkndp;
