// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.ndpscan;

import java.nio.file.Path;

/**
 * What is measured.
 *
 * @param directory for the figures and passing files; made if missing
 * @param data where the TPC-H tables are, or shall be generated
 * @param scale of the tables
 * @param rounds in which both sides have a turn
 */
record ScanPlan(Path directory, Path data, double scale, int rounds) {}
