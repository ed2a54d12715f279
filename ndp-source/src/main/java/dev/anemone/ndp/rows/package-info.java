// SPDX-License-Identifier: Apache-2.0
/**
 * Rows as lists of Java objects, where answers meet: what few rows are left of a large table.
 * Values have the classes that {@link dev.anemone.ir.relational.Literal} has for their types, or
 * are null.
 */
package dev.anemone.ndp.rows;
