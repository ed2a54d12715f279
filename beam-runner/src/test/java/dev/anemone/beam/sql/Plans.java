// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import java.util.Map;
import org.apache.beam.sdk.extensions.sql.impl.BeamSqlEnv;
import org.apache.beam.sdk.extensions.sql.meta.BeamSqlTable;
import org.apache.beam.sdk.extensions.sql.meta.provider.ReadOnlyTableProvider;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;

/** Plans queries without running them. */
final class Plans {

  private Plans() {}

  static RelNode of(String query, Map<String, BeamSqlTable> tables, String... options) {
    return BeamSqlEnv.builder(new ReadOnlyTableProvider("test", tables))
        .setQueryPlannerClassName(AnemoneQueryPlanner.class.getName())
        .setPipelineOptions(PipelineOptionsFactory.fromArgs(options).create())
        .build()
        .parseQuery(query);
  }
}
