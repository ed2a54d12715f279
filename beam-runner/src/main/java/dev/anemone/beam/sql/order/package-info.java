/** The order of a query's rows. */
package dev.anemone.beam.sql.order;
