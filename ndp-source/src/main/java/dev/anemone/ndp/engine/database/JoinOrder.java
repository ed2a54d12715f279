// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.database;

/** Who says in which order the tables of a query are joined, and which side of a join is kept. */
public enum JoinOrder {
  /** The engine, from what it knows of the tables: rows and values of Parquet, and of its own. */
  OF_THE_ENGINE("type_pushdown"),
  /**
   * The query. The engine takes a file of text for 42 rows, whatever its size; the orders that it
   * makes of that can be worse by factors (TPC-H's query 7: 100), and the query has been planned
   * with the sizes of the files.
   */
  OF_THE_QUERY("type_pushdown,join_order,build_side_probe_side");

  private final String disabledOptimizers;

  /**
   * Type pushdown is always off: DuckDB 2.0 confuses the types of a column of text that is cast in
   * two ways, and what it reads as another type would fail, or not fail, by the rules of that type.
   */
  JoinOrder(String disabledOptimizers) {
    this.disabledOptimizers = disabledOptimizers;
  }

  /** Names of the engine's optimizers that are not to run, divided by commas. */
  String disabledOptimizers() {
    return disabledOptimizers;
  }
}
