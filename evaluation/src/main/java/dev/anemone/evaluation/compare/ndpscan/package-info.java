// SPDX-License-Identifier: Apache-2.0
/** How fast a proxy filters text, beside DuckDB on the same file. */
package dev.anemone.evaluation.compare.ndpscan;
