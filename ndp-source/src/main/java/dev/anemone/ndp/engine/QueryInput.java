// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.query.RelationalQuery;
import dev.anemone.ndp.engine.database.JoinOrder;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.sql.QuerySql;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.arrow.vector.ipc.ArrowReader;

/**
 * All of a query over tables whose files lie here, and over batches that somebody else makes: the
 * rows of its result are those of a scan. Batches come once, and a query may read an input several
 * times, so they are put into a table of the engine first, which spills as all that it holds.
 */
final class QueryInput implements PlanInput {

  private final RelationalQuery query;

  /** The files of each input. */
  private final Map<String, List<FileInput>> files = new HashMap<>();

  /** Where each input's files are put. */
  private final Map<String, List<Path>> places = new HashMap<>();

  private final Map<String, BatchInput> batches = new HashMap<>();

  /**
   * An input.
   *
   * @param tables the files of each input of the query that is a table, at least one
   * @param batches those of each other input; closed when this is released
   * @throws dev.anemone.ir.relational.InvalidPlanException when a table lacks a column of an input
   */
  QueryInput(
      RelationalQuery query, Map<String, List<Table>> tables, Map<String, ArrowReader> batches) {
    this.query = query;
    batches.forEach(
        (name, reader) ->
            this.batches.put(name, new BatchInput(reader, "batches" + this.batches.size())));
    query
        .inputs()
        .forEach(
            (name, row) -> {
              List<FileInput> inputs = new ArrayList<>();
              for (Table table : tables.getOrDefault(name, List.of())) {
                PlanCheck.check(new RelationalPlan(row, List.of()), table.columns());
                inputs.add(new FileInput(table, Split.WHOLE));
              }
              files.put(name, inputs);
            });
  }

  @Override
  public List<Path> paths(Path file) {
    if (places.isEmpty()) {
      files.forEach(
          (name, inputs) ->
              places.put(
                  name,
                  IntStream.range(0, inputs.size())
                      .mapToObj(i -> file.resolveSibling("input" + places.size() + "-" + i))
                      .toList()));
    }
    return places.values().stream().flatMap(List::stream).toList();
  }

  @Override
  public String named(String message, Path file) {
    String named = message;
    for (Map.Entry<String, List<Path>> placed : places.entrySet()) {
      for (int i = 0; i < placed.getValue().size(); i++) {
        named = files.get(placed.getKey()).get(i).named(named, placed.getValue().get(i));
      }
    }
    return named;
  }

  @Override
  public boolean mayBeLinks() {
    return files.values().stream().flatMap(List::stream).anyMatch(FileInput::mayBeLinks);
  }

  /** The query's, as soon as the engine can be wrong about the size of one table. */
  @Override
  public JoinOrder joinOrder() {
    return files.values().stream()
            .flatMap(List::stream)
            .allMatch(input -> input.joinOrder() == JoinOrder.OF_THE_ENGINE)
        ? JoinOrder.OF_THE_ENGINE
        : JoinOrder.OF_THE_QUERY;
  }

  @Override
  public Optional<String> damage(
      Connection database,
      RowType result,
      GroupFilter wanted,
      Path file,
      ParquetDamage.StatementWatch running)
      throws IOException, SQLException {
    for (Map.Entry<String, RowType> input : query.inputs().entrySet()) {
      List<FileInput> tables = files.get(input.getKey());
      for (int i = 0; i < tables.size(); i++) {
        Path placed = places.get(input.getKey()).get(i);
        Optional<String> found =
            tables.get(i).damage(database, input.getValue(), GroupFilter.NONE, placed, running);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  @Override
  public void place(Path file, LongConsumer watch) throws IOException {
    for (Map.Entry<String, List<FileInput>> input : files.entrySet()) {
      for (int i = 0; i < input.getValue().size(); i++) {
        input.getValue().get(i).place(places.get(input.getKey()).get(i), watch);
      }
    }
  }

  @Override
  public ScanQuery query(
      Connection database, RowType result, GroupFilter wanted, Path file, LongConsumer watch)
      throws IOException, SQLException {
    Map<String, String> inputs = new HashMap<>();
    for (Map.Entry<String, RowType> input : query.inputs().entrySet()) {
      BatchInput ofBatches = batches.get(input.getKey());
      if (ofBatches != null) {
        inputs.put(
            input.getKey(),
            loaded(
                database,
                ofBatches.query(database, input.getValue(), GroupFilter.NONE, file, watch).sql(),
                inputs));
        continue;
      }
      inputs.put(input.getKey(), rows(database, input.getKey(), input.getValue(), watch));
    }
    return ScanQuery.of(QuerySql.of(query, inputs, texts()));
  }

  /** The tables of which a scan reads text. */
  private Set<String> texts() {
    return files.keySet().stream()
        .filter(name -> files.get(name).stream().anyMatch(FileInput::isText))
        .collect(Collectors.toSet());
  }

  private static String loaded(Connection database, String rows, Map<String, String> before)
      throws SQLException {
    String table = "rows" + before.size();
    try (Statement statement = database.createStatement()) {
      statement.execute("CREATE TEMP TABLE " + table + " AS " + rows);
    }
    return "SELECT * FROM " + table;
  }

  @Override
  public Optional<RuntimeException> failure() {
    return batches.values().stream().flatMap(input -> input.failure().stream()).findFirst();
  }

  @Override
  public void release() throws Exception {
    Exception failure = null;
    for (BatchInput input : batches.values()) {
      try {
        input.release();
      } catch (Exception e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private String rows(Connection database, String name, RowType row, LongConsumer watch)
      throws IOException, SQLException {
    List<String> queries = new ArrayList<>();
    for (int i = 0; i < files.get(name).size(); i++) {
      queries.add(
          files
              .get(name)
              .get(i)
              .query(database, row, GroupFilter.NONE, places.get(name).get(i), watch)
              .sql());
    }
    return queries.stream().collect(Collectors.joining(") UNION ALL (", "(", ")"));
  }
}
