// SPDX-License-Identifier: Apache-2.0
/** Names and types of a plan's columns, as Calcite's rules and Beam's operators need them. */
package dev.anemone.beam.sql.plan.columns;
