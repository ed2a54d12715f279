// SPDX-License-Identifier: Apache-2.0
/**
 * Windows of time: {@code GROUP BY TUMBLE(...)} and the table functions {@code TUMBLE}, {@code HOP}
 * and {@code SESSION}. Rows are put into Beam's windows, in which the operators above them work.
 */
package dev.anemone.beam.sql.window;
