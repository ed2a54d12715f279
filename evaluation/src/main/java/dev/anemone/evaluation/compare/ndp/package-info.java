// SPDX-License-Identifier: Apache-2.0
/**
 * TPC-H queries on an HDFS with a proxy beside each data node, over a slow network: what it costs
 * to push nothing, something or all of what can be pushed, and what the cost model makes of it.
 */
package dev.anemone.evaluation.compare.ndp;
