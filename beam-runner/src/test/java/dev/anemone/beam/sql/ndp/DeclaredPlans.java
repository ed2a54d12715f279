// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import dev.anemone.beam.sql.AnemoneQueryPlanner;
import java.util.List;
import org.apache.beam.sdk.extensions.sql.impl.BeamSqlEnv;
import org.apache.beam.sdk.extensions.sql.meta.provider.TableProvider;
import org.apache.beam.sdk.extensions.sql.meta.store.InMemoryMetaStore;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptUtil;

/** Plans queries on tables that statements declare, without running them. */
final class DeclaredPlans {

  private final List<TableProvider> providers;
  private final String[] options;

  DeclaredPlans(List<TableProvider> providers, String... options) {
    this.providers = List.copyOf(providers);
    this.options = options.clone();
  }

  /** The plan of a query as text. */
  String of(String ddl, String query) {
    return of(List.of(ddl), query);
  }

  /** The plan of a query on several tables as text. */
  String of(List<String> ddls, String query) {
    InMemoryMetaStore store = new InMemoryMetaStore();
    providers.forEach(store::registerProvider);
    BeamSqlEnv env =
        BeamSqlEnv.builder(store)
            .setQueryPlannerClassName(AnemoneQueryPlanner.class.getName())
            .setPipelineOptions(PipelineOptionsFactory.fromArgs(options).create())
            .build();
    ddls.forEach(env::executeDdl);
    return RelOptUtil.toString(env.parseQuery(query));
  }
}
