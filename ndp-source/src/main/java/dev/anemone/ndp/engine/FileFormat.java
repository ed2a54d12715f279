// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

/** How a table lies in its files. */
public sealed interface FileFormat permits CsvFormat, ParquetFormat, TextFormat {}
