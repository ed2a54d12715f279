// SPDX-License-Identifier: Apache-2.0
/** {@code UNNEST}: arrays of rows become rows. */
package dev.anemone.beam.sql.unnest;
