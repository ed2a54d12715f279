// SPDX-License-Identifier: Apache-2.0
/** Writes the result of a query into a table in columns. */
package dev.anemone.beam.sql.insert;
