// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.columnar;

import dev.anemone.beam.options.ColumnarUse;
import dev.anemone.beam.options.DeployMode;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.beam.sql.ndp.EngineCheck;
import org.apache.beam.sdk.options.PipelineOptions;

/** Where parts of queries run in columns. */
public enum ColumnarPlace {
  /** All of a part in one task, if its files are on this machine; else in tasks. */
  THIS_PROCESS,
  /** In tasks that exchange rows. */
  TASKS,
  /** Nowhere: in rows. */
  NOWHERE;

  /** What the options say, as far as this JVM has the engine. */
  public static ColumnarPlace of(PipelineOptions options) {
    ColumnarUse use = ColumnarUse.of(options.as(NemoPipelineOptions.class));
    if (use == ColumnarUse.OFF || !EngineCheck.canRun()) {
      return NOWHERE;
    }
    return use == ColumnarUse.AUTO
            && DeployMode.of(options.as(NemoPipelineOptions.class)) == DeployMode.LOCAL
        ? THIS_PROCESS
        : TASKS;
  }
}
