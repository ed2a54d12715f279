// SPDX-License-Identifier: Apache-2.0
/** Physical operators of SQL queries, beside those of Beam SQL. */
package dev.anemone.beam.sql.rel;
