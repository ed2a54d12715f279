// SPDX-License-Identifier: Apache-2.0
/** The order of a query's rows. */
package dev.anemone.beam.sql.order;
