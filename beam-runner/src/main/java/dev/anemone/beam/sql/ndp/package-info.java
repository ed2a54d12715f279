// SPDX-License-Identifier: Apache-2.0
/**
 * Tables of {@code TYPE ndp} in Beam SQL, and the part of a query over them that {@link
 * dev.anemone.ir.relational} can say: filters, projections and partial aggregates, which may then
 * run where the data lies.
 */
package dev.anemone.beam.sql.ndp;
