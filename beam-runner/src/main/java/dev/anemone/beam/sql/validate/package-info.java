// SPDX-License-Identifier: Apache-2.0
/** What SQL may say beyond Calcite's standard: functions, and operands of other types. */
package dev.anemone.beam.sql.validate;
