// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamIOSourceRel;
import org.apache.beam.sdk.extensions.sql.meta.BeamSqlTable;
import org.apache.beam.sdk.extensions.sql.meta.Table;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexSubQuery;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts an {@link NdpTable} in the place of a table of one of Beam's own types, where its rows are
 * the same: its query can then run in columns, and near the data.
 *
 * <pre>
 * before:  Filter(scan of a table of TYPE parquet)
 * after:   Filter(scan of an NdpTable)
 * </pre>
 *
 * <p>Only scans are replaced: what is written is written by Beam's table. Why another scan is not
 * replaced is written to the log.
 */
public final class BeamTables extends RelHomogeneousShuttle {

  private static final Logger LOG = LoggerFactory.getLogger(BeamTables.class);

  private final Function<List<String>, Optional<Table>> declared;
  private final Map<List<String>, Optional<NdpTable>> replacements = new HashMap<>();

  private final RexShuttle subQueries =
      new RexShuttle() {
        @Override
        public RexNode visitSubQuery(RexSubQuery subQuery) {
          RexSubQuery visited = (RexSubQuery) super.visitSubQuery(subQuery);
          return visited.clone(visited.rel.accept(BeamTables.this));
        }
      };

  /**
   * For one query.
   *
   * @param declared what a name with all its schemas was declared to be
   */
  public BeamTables(Function<List<String>, Optional<Table>> declared) {
    this.declared = declared;
  }

  @Override
  public RelNode visit(RelNode node) {
    RelNode visited = super.visit(node).accept(subQueries);
    return visited instanceof BeamIOSourceRel scan ? replaced(scan) : visited;
  }

  private RelNode replaced(BeamIOSourceRel scan) {
    Optional<NdpTable> replacement =
        replacements.computeIfAbsent(
            scan.getTable().getQualifiedName(),
            name -> declared.apply(name).flatMap(table -> ofSplits(table, scan.getBeamSqlTable())));
    return replacement.isPresent() ? new NdpScanRel(scan, replacement.get()) : scan;
  }

  private static Optional<NdpTable> ofSplits(Table table, BeamSqlTable ofBeam) {
    for (BeamTableType type : BeamTableType.values()) {
      if (type.made(table, ofBeam)) {
        try {
          return Optional.of(type.ofSplits(table));
        } catch (OtherRowsException reason) {
          LOG.info(
              "Table {} of TYPE {} is read by Beam's reader: {}",
              table.getName(),
              table.getType(),
              reason.getMessage());
        }
      }
    }
    return Optional.empty();
  }
}
