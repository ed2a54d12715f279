/** Physical operators of SQL queries, beside those of Beam SQL. */
package dev.anemone.beam.sql.rel;
