// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.format;

/** How a table lies in its files. */
public sealed interface FileFormat permits CsvFormat, ParquetFormat, TextFormat {}
