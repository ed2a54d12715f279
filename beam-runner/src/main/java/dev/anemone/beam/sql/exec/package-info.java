// SPDX-License-Identifier: Apache-2.0
/**
 * Physical operators for Beam SQL that spend little on each row: a Calc whose expressions become
 * one Java method, and an aggregation with compact accumulators. Both are {@link
 * org.apache.beam.sdk.extensions.sql.impl.rel.BeamRelNode}s that any runner runs; {@link
 * dev.anemone.beam.sql.exec.ExecRules} has the rules that a planner adds. What they cannot express
 * is left to Beam's own operators.
 */
package dev.anemone.beam.sql.exec;
