// SPDX-License-Identifier: Apache-2.0
/** TPC-H in Beam SQL on NemoRunner and on Beam's Spark runner, side by side. */
package dev.anemone.evaluation.compare.tpch;
