// SPDX-License-Identifier: Apache-2.0
/**
 * Expressions of SQL as Java methods, after the model of Neumann, <i>Efficiently Compiling
 * Efficient Query Plans for Modern Hardware</i>, VLDB 2011.
 */
package dev.anemone.beam.sql.codegen;
