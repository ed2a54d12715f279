// SPDX-License-Identifier: Apache-2.0
/**
 * A planner for Beam SQL on bounded tables. {@link dev.anemone.beam.sql.AnemoneQueryPlanner} is
 * where to begin; {@code plan} has its phases and rules, {@code rel} its physical operators.
 *
 * <p>Beam SQL is an optional dependency: nothing outside these packages refers to them, but for the
 * options.
 */
package dev.anemone.beam.sql;
