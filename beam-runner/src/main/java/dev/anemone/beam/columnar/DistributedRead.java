// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.beam.ndp.BatchForm;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.exchange.DistributedQuery;
import dev.anemone.ir.relational.exchange.Exchange;
import dev.anemone.ir.relational.exchange.Fragment;
import dev.anemone.ir.relational.exchange.PartitionedQuery;
import dev.anemone.ir.relational.exchange.Partitioning;
import dev.anemone.ir.relational.exchange.PiecedQuery;
import dev.anemone.ir.relational.exchange.ScanPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.View;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.WindowingStrategy;

/**
 * Runs a query in fragments: those over a table on each of its splits, the others on each partition
 * of the exchanges that they read.
 *
 * <pre>
 * read orders --(partition, batch)--+
 *                                   +-- group by partition -- query -- rows
 * read lines  --(partition, batch)--+
 * </pre>
 *
 * <p>A small side of a join is a side input of the step that reads the other one. Rows of
 * collections become batches in the tasks that make them.
 *
 * <p>An exchange is a collection that is grouped by the number of the partition, so what passes and
 * stores do for any shuffle they do for it; and where there is one task only, a pass leaves the
 * shuffle out.
 *
 * @param <E> what the batches of the result become
 */
public final class DistributedRead<E> extends PTransform<PCollectionList<Row>, PCollection<E>> {

  private static final long serialVersionUID = 1;

  private static final int MOST_NAME_LENGTH = 60;

  /** Reads tables. */
  @FunctionalInterface
  public interface TableReads {

    /**
     * A read of a table.
     *
     * @param plan what is done to each split
     * @param form of what the plan gives
     * @param coder of its elements
     */
    <T> PTransform<PBegin, PCollection<T>> of(
        String table, RelationalPlan plan, BatchForm<T> form, Coder<T> coder);
  }

  private final transient DistributedQuery query;
  private final transient TableReads tables;
  private final List<String> collections;
  private final BatchForm<E> resultForm;
  private final Coder<E> resultCoder;

  /**
   * A query.
   *
   * @param tables reads those that the query is over
   * @param collections names of its other inputs, which are this transform's, in their order
   * @param resultForm of what the query gives
   * @param resultCoder of its elements
   */
  public DistributedRead(
      DistributedQuery query,
      TableReads tables,
      List<String> collections,
      BatchForm<E> resultForm,
      Coder<E> resultCoder) {
    this.query = query;
    this.tables = tables;
    this.collections = List.copyOf(collections);
    this.resultForm = resultForm;
    this.resultCoder = resultCoder;
  }

  @Override
  public PCollection<E> expand(PCollectionList<Row> rows) {
    PBegin begin = PBegin.in(rows.getPipeline());
    int partitions = ExchangePartitions.of(begin.getPipeline().getOptions());
    Map<String, List<PCollection<KV<Integer, ExchangedBatch>>>> exchanges = new HashMap<>();
    for (int i = 0; i < collections.size(); i++) {
      String name = collections.get(i);
      Exchange stays = new Exchange(name, row(name), new Partitioning.Stay());
      exchanges.put(
          name,
          List.of(
              rows.get(i)
                  .apply(
                      name,
                      new RowsAsBatches<>(
                          row(name), false, ExchangeForm.of(stays, 1), ExchangeForm.CODER))));
    }
    List<PCollection<E>> results = new ArrayList<>();
    for (Fragment fragment : query.fragments()) {
      String step = stepName(fragment, exchanges, results.size());
      if (fragment.output().isPresent()) {
        Exchange exchange = fragment.output().get();
        exchanges
            .computeIfAbsent(exchange.name(), name -> new ArrayList<>())
            .add(
                run(
                    begin,
                    step,
                    fragment,
                    exchanges,
                    ExchangeForm.of(exchange, partitions),
                    ExchangeForm.CODER));
      } else {
        results.add(run(begin, step, fragment, exchanges, resultForm, resultCoder));
      }
    }
    return results.size() == 1
        ? results.get(0)
        : PCollectionList.of(results).apply("All", Flatten.pCollections());
  }

  /** By what the fragment writes to, so that a plan for people says what goes where. */
  private static String stepName(
      Fragment fragment,
      Map<String, List<PCollection<KV<Integer, ExchangedBatch>>>> exchanges,
      int results) {
    if (fragment.output().isEmpty()) {
      return "Result" + (results == 0 ? "" : " " + results);
    }
    Exchange exchange = fragment.output().get();
    int others = exchanges.getOrDefault(exchange.name(), List.of()).size();
    String text = exchange.name() + " " + exchange.partitioning().text();
    return text.substring(0, Math.min(text.length(), MOST_NAME_LENGTH))
        + (others == 0 ? "" : " " + others);
  }

  private <T> PCollection<T> run(
      PBegin begin,
      String step,
      Fragment fragment,
      Map<String, List<PCollection<KV<Integer, ExchangedBatch>>>> exchanges,
      BatchForm<T> form,
      Coder<T> formCoder) {
    if (fragment.place() == Fragment.Place.SPLITS) {
      ScanPlan scan = ScanPlan.of(fragment);
      return begin.apply(step, tables.of(scan.table(), scan.plan(), form, formCoder));
    }
    PipelineOptions options = begin.getPipeline().getOptions();
    if (fragment.place() == Fragment.Place.PIECES) {
      return inPieces(step, fragment, exchanges, form, formCoder);
    }
    List<PCollection<KV<Integer, ExchangedBatch>>> inputs = new ArrayList<>();
    fragment.query().inputs().keySet().forEach(name -> inputs.addAll(exchanges.get(name)));
    if (fragment.place() == Fragment.Place.ONCE_ALWAYS) {
      inputs.add(
          begin.apply(
              step + " in any case",
              Create.of(KV.of(0, ExchangedBatch.NOTHING)).withCoder(ExchangeForm.CODER)));
    }
    return PCollectionList.of(inputs)
        .apply(step + " of", Flatten.pCollections())
        .setWindowingStrategyInternal(WindowingStrategy.globalDefault())
        .apply(
            step,
            new FragmentQuery<>(
                new PartitionedQuery(fragment.query(), replicated(fragment)),
                options,
                form,
                formCoder));
  }

  private Set<String> replicated(Fragment fragment) {
    return query.fragments().stream()
        .flatMap(each -> each.output().stream())
        .filter(exchange -> exchange.partitioning() instanceof Partitioning.Replicate)
        .map(Exchange::name)
        .filter(fragment.query().inputs()::containsKey)
        .collect(Collectors.toSet());
  }

  private <T> PCollection<T> inPieces(
      String step,
      Fragment fragment,
      Map<String, List<PCollection<KV<Integer, ExchangedBatch>>>> exchanges,
      BatchForm<T> form,
      Coder<T> formCoder) {
    String stays = onlyStaying(fragment);
    PCollection<KV<Integer, ExchangedBatch>> rows = exchanges.get(stays).get(0);
    Map<String, PCollectionView<Iterable<KV<Integer, ExchangedBatch>>>> broadcast = new HashMap<>();
    for (String name : fragment.query().inputs().keySet()) {
      if (!name.equals(stays)) {
        broadcast.put(
            name,
            PCollectionList.of(exchanges.get(name))
                .apply(step + " beside " + name, Flatten.pCollections())
                .apply(step + " all of " + name, View.asIterable()));
      }
    }
    return rows.apply(
        step,
        new PiecesQuery<>(
            new PiecedQuery(fragment.query(), stays),
            collections.contains(stays),
            broadcast,
            rows.getPipeline().getOptions(),
            form,
            formCoder));
  }

  private RowType row(String input) {
    return query.fragments().stream()
        .map(fragment -> fragment.query().inputs().get(input))
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow();
  }

  private String onlyStaying(Fragment fragment) {
    return Stream.concat(
            collections.stream(),
            query.fragments().stream()
                .flatMap(each -> each.output().stream())
                .filter(exchange -> exchange.partitioning() instanceof Partitioning.Stay)
                .map(Exchange::name))
        .filter(fragment.query().inputs()::containsKey)
        .findFirst()
        .orElseThrow();
  }
}
