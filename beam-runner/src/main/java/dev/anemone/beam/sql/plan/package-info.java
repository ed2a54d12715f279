// SPDX-License-Identifier: Apache-2.0
/**
 * From a query as Calcite converts it to Beam's physical operators: {@link
 * dev.anemone.beam.sql.plan.LogicalOptimizer}, then {@link
 * dev.anemone.beam.sql.plan.PhysicalOptimizer}.
 */
package dev.anemone.beam.sql.plan;
