/** How fast a proxy filters text, beside DuckDB on the same file. */
package dev.anemone.evaluation.compare.ndpscan;
