// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import java.util.List;

/**
 * A split in a database of its own, on which plans are run one after the other. Opening it costs as
 * much as running a plan on some megabytes. For one thread.
 */
public final class OpenSplit implements AutoCloseable {

  private final PlanRun run;
  private final RowType columns;
  private final RowType scan;

  OpenSplit(PlanRun run, RowType columns, RowType scan) {
    this.run = run;
    this.columns = columns;
    this.scan = scan;
  }

  /**
   * Starts a plan.
   *
   * @param operators after the scan
   * @return the answer, to be closed before the next one is asked for
   * @throws dev.anemone.ir.relational.InvalidPlanException as {@link NdpEngine#run}
   * @throws NdpEngineException when it fails; then the split is closed
   */
  public PlanAnswer run(List<RelationalOperator> operators) {
    RelationalPlan plan = new RelationalPlan(scan, operators);
    PlanCheck.check(plan, columns);
    return run.next(plan);
  }

  @Override
  public void close() {
    run.close();
  }
}
