// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import dev.anemone.beam.NemoRunner;
import dev.anemone.beam.terminal.Screen;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.extensions.sql.impl.BeamSqlEnv;
import org.apache.beam.sdk.extensions.sql.impl.BeamSqlPipelineOptions;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamRelNode;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamSqlRelUtils;
import org.apache.beam.sdk.extensions.sql.impl.utils.CalciteUtils;
import org.apache.beam.sdk.extensions.sql.meta.Table;
import org.apache.beam.sdk.extensions.sql.meta.provider.TableProvider;
import org.apache.beam.sdk.extensions.sql.meta.store.InMemoryMetaStore;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;

/**
 * Runs statements one after the other, with the tables and options that earlier ones have made.
 * Only {@link #cancel} may be called by another thread.
 */
final class SqlSession {
  private static final Schema DESCRIPTION =
      Schema.builder().addStringField("column").addStringField("type").build();
  private static final Schema TABLES =
      Schema.builder().addStringField("table").addStringField("type").build();
  private static final Pattern DESCRIBED =
      Pattern.compile("(?is)(?:DESCRIBE|DESC)\\s+[`\"']?(.+?)[`\"']?\\s*");
  private static final Pattern INSERT = Pattern.compile("(?is)\\s*INSERT\\b");
  private static final Pattern SHOW_TABLES = Pattern.compile("(?is)SHOW\\s+TABLES\\s*");

  private final InMemoryMetaStore tables = new InMemoryMetaStore();
  private final Map<String, Table> files = new TreeMap<>();
  private final RunningQuery running = new RunningQuery();
  private final long maxRows;
  private Settings settings;
  private BeamSqlEnv environment;

  /**
   * A session with all types of tables on the class path.
   *
   * @param maxRows of a query that are brought here; 0 for all
   * @throws IllegalArgumentException if an option is unknown or wrong
   */
  SqlSession(Settings settings, long maxRows) {
    this.maxRows = maxRows;
    ServiceLoader.load(TableProvider.class).forEach(tables::registerProvider);
    use(settings);
  }

  private void use(Settings changed) {
    PipelineOptions options = changed.options();
    FileSystems.setDefaultPipelineOptions(options);
    settings = changed;
    environment =
        BeamSqlEnv.builder(tables)
            .setPipelineOptions(options)
            .setQueryPlannerClassName(options.as(BeamSqlPipelineOptions.class).getPlannerName())
            .autoLoadUserDefinedFunctions()
            .build();
  }

  /** The tables that were created, by name. */
  Map<String, Table> tables() {
    Map<String, Table> created = new TreeMap<>(tables.getTables());
    created.keySet().removeAll(files.keySet());
    return created;
  }

  /** To be called before statements are read: a {@link #cancel} from now on is for them. */
  void begin() {
    running.begin();
  }

  /**
   * Ends the query that runs, if one does: its statement fails, or the next one until {@link
   * #begin}.
   */
  void cancel() {
    running.cancel();
  }

  /**
   * Runs a statement.
   *
   * @throws IOException if files cannot be read, or rows not be brought here
   * @throws RuntimeException if the statement is wrong, was cancelled, or its pipeline fails
   */
  Outcome execute(Statement statement) throws IOException {
    running.requireWanted();
    return switch (statement.verb()) {
      case "SET" -> {
        use(settings.with(statement.text()));
        yield new Outcome.Message("");
      }
      case "CREATE", "DROP" -> {
        environment.executeDdl(statement.text());
        yield new Outcome.Message("");
      }
      case "SHOW" -> showTables(statement);
      case "DESCRIBE", "DESC" -> describe(statement);
      case "EXPLAIN" -> explain(statement);
      case "INSERT" -> insert(statement);
      default -> query(statement);
    };
  }

  private Outcome query(Statement statement) throws IOException {
    String sql = known(statement.text());
    PipelineOptions options = settings.options();
    try (QueryRows result = new QueryRows(options, maxRows)) {
      running.complete(queried(sql, options, result));
      return result.read();
    }
  }

  private Pipeline queried(String sql, PipelineOptions options, QueryRows result) {
    Pipeline pipeline = Pipeline.create(options);
    result.collect(BeamSqlRelUtils.toPCollection(pipeline, environment.parseQuery(sql)));
    return pipeline;
  }

  private Outcome insert(Statement statement) throws IOException {
    running.complete(inserted(known(statement.text()), settings.options()));
    return new Outcome.Message("");
  }

  private Pipeline inserted(String sql, PipelineOptions options) {
    BeamRelNode written = environment.parseQuery(sql);
    Pipeline pipeline = Pipeline.create(options);
    BeamSqlRelUtils.toPCollection(pipeline, written);
    return pipeline;
  }

  /** Beam's plan of the query, and below it the job that would run it. */
  private Outcome explain(Statement statement) throws IOException {
    String sql = known(statement.withoutVerb());
    String plan = environment.explain(sql);
    PipelineOptions options = settings.options();
    if (options.getRunner() != NemoRunner.class) {
      return new Outcome.Message(plan);
    }
    try (QueryRows result = new QueryRows(options, maxRows)) {
      Pipeline pipeline =
          INSERT.matcher(sql).lookingAt() ? inserted(sql, options) : queried(sql, options, result);
      String job = NemoRunner.fromOptions(options).explain(pipeline, Screen.outputColumns());
      return new Outcome.Message(plan.stripTrailing() + "\n\n" + job.stripTrailing());
    }
  }

  /** The statement with tables for the files that it names, which are looked at anew. */
  private String known(String statement) throws IOException {
    FileReferences references = FileReferences.of(statement);
    for (String file : references.files()) {
      Table table = FileTables.of(file);
      if (files.put(file, table) != null) {
        tables.dropTable(file);
      }
      tables.createTable(table);
    }
    return references.sql();
  }

  private Outcome describe(Statement statement) throws IOException {
    Matcher described = DESCRIBED.matcher(statement.text());
    if (!described.matches()) {
      throw new StatementException(
          "DESCRIBE has another form. Write DESCRIBE table, or DESCRIBE 'file'.", null);
    }
    String name = described.group(1);
    Table table =
        FileReferences.of(statement.text()).files().isEmpty() ? created(name) : FileTables.of(name);
    return new Outcome.Rows(
        DESCRIPTION,
        table.getSchema().getFields().stream()
            .map(
                field ->
                    Row.withSchema(DESCRIPTION)
                        .addValues(
                            field.getName(), CalciteUtils.toSqlTypeName(field.getType()).getName())
                        .build())
            .toList(),
        false);
  }

  private Table created(String name) {
    Map<String, Table> created = tables();
    Table table = created.get(name);
    if (table == null) {
      throw new StatementException(
          "There is no table "
              + name
              + ". "
              + (created.isEmpty()
                  ? "CREATE EXTERNAL TABLE makes one."
                  : "There are "
                      + created.keySet().stream().collect(Collectors.joining(", "))
                      + "."),
          null);
    }
    return table;
  }

  private Outcome showTables(Statement statement) {
    if (!SHOW_TABLES.matcher(statement.text()).matches()) {
      throw new StatementException("There is only SHOW TABLES to show.", null);
    }
    List<Row> rows =
        tables().values().stream()
            .map(
                table -> Row.withSchema(TABLES).addValues(table.getName(), table.getType()).build())
            .toList();
    return new Outcome.Rows(TABLES, rows, false);
  }
}
