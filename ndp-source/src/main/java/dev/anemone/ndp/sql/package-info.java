// SPDX-License-Identifier: Apache-2.0
/**
 * Plans and queries in the engine's SQL. Nothing that a plan brings along gets into a text of SQL
 * but through {@link dev.anemone.ndp.sql.SqlText}.
 */
package dev.anemone.ndp.sql;
