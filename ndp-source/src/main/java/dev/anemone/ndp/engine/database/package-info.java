// SPDX-License-Identifier: Apache-2.0
/**
 * Databases of DuckDB that reach nothing but what they are told, and what a plan in them may use.
 */
package dev.anemone.ndp.engine.database;
