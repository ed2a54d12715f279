// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import org.apache.beam.sdk.extensions.sql.impl.BeamCalciteTable;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamRelMetadataQuery;
import org.apache.beam.sdk.extensions.sql.impl.planner.NodeStats;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamIOSourceRel;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.metadata.RelMetadataQuery;

/**
 * A scan of a table of splits in the place of one of the same table as Beam reads it. It has the
 * size of the splits; the planner's catalog goes on knowing Beam's table.
 */
public final class NdpScanRel extends BeamIOSourceRel {

  private final double rows;

  NdpScanRel(BeamIOSourceRel replaced, NdpTable table) {
    super(
        replaced.getCluster(),
        replaced.getTraitSet(),
        replaced.getTable(),
        table,
        replaced.getPipelineOptions(),
        replaced.getTable().unwrap(BeamCalciteTable.class));
    this.rows = table.rows();
  }

  @Override
  public double estimateRowCount(RelMetadataQuery mq) {
    return rows;
  }

  @Override
  public NodeStats estimateNodeStats(BeamRelMetadataQuery mq) {
    return NodeStats.create(rows, 0, rows);
  }
}
