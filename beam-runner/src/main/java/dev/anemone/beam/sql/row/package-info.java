// SPDX-License-Identifier: Apache-2.0
/** Rows as few bytes, and keys of rows whose bytes are equal when they are. */
package dev.anemone.beam.sql.row;
