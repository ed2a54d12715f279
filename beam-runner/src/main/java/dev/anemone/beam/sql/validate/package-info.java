// SPDX-License-Identifier: Apache-2.0
/** What SQL may say beyond Calcite's standard: functions, other operands, results that are NULL. */
package dev.anemone.beam.sql.validate;
