// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.options;

import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;

/** Options of {@code AnemoneQueryPlanner}. */
public interface SqlPlannerOptions extends PipelineOptions {

  @Description(
      "A side of a join of SQL, or of one in columns, that is estimated to have no more bytes than"
          + " this is sent whole to every task that reads the other side, so that neither is"
          + " shuffled. 0: joins are shuffled, except those without a key.")
  @Default.Long(8L << 20)
  long getBroadcastJoinBytes();

  void setBroadcastJoinBytes(long broadcastJoinBytes);
}
