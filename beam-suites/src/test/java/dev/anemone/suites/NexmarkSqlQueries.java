// SPDX-License-Identifier: Apache-2.0
package dev.anemone.suites;

import dev.anemone.beam.sql.AnemoneQueryPlanner;
import org.apache.beam.sdk.extensions.sql.SqlTransform;
import org.apache.beam.sdk.nexmark.NexmarkConfiguration;
import org.apache.beam.sdk.nexmark.NexmarkUtils;
import org.apache.beam.sdk.nexmark.model.AuctionPrice;
import org.apache.beam.sdk.nexmark.model.Bid;
import org.apache.beam.sdk.nexmark.model.Event;
import org.apache.beam.sdk.nexmark.model.KnownSize;
import org.apache.beam.sdk.nexmark.model.NameCityStateId;
import org.apache.beam.sdk.nexmark.model.sql.SelectEvent;
import org.apache.beam.sdk.nexmark.queries.BoundedSideInputJoinModel;
import org.apache.beam.sdk.nexmark.queries.NexmarkQuery;
import org.apache.beam.sdk.nexmark.queries.NexmarkQueryModel;
import org.apache.beam.sdk.nexmark.queries.NexmarkQueryTransform;
import org.apache.beam.sdk.nexmark.queries.Query2Model;
import org.apache.beam.sdk.nexmark.queries.Query3Model;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.transforms.Convert;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.transforms.Filter;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TimestampedValue;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.junit.jupiter.api.Test;

/**
 * Nexmark's queries in SQL, planned by {@link AnemoneQueryPlanner}: those whose own classes name
 * Beam's planner. What they yield is what Nexmark's models of them say. The suite {@code nexmark}
 * runs it; the name keeps it out of the others.
 */
class NexmarkSqlQueries {

  private final NexmarkConfiguration configuration = NexmarkConfiguration.DEFAULT.copy();
  private final TestPipeline pipeline =
      TestPipeline.fromOptions(PipelineOptionsFactory.fromArgs("--runner=NemoRunner").create())
          .enableAbandonedNodeEnforcement(true);

  NexmarkSqlQueries() {
    // Timestamps depend on the number of generators; the model has one.
    configuration.numEventGenerators = 1;
    configuration.numEvents = 5000;
    configuration.sideInputType = NexmarkUtils.SideInputType.DIRECT;
    configuration.sideInputRowCount = 10;
    configuration.sideInputNumShards = 3;
  }

  @Test
  void query2SelectsAuctionsByNumber() {
    isAsTheModelSays(
        new Sql<>(
            AuctionPrice.class,
            "SELECT auction, price FROM BID WHERE MOD(auction, "
                + configuration.auctionSkip
                + ") = 0"),
        new Query2Model(configuration));
  }

  @Test
  void query3JoinsSellersOfThreeStatesWithTheirAuctions() {
    isAsTheModelSays(
        new Sql<>(
            NameCityStateId.class,
            "SELECT p.name, p.city, p.state, a.id FROM AUCTION AS a JOIN PERSON AS p"
                + " ON a.seller = p.id WHERE a.category = 10 AND p.state IN ('OR', 'ID', 'CA')"),
        new Query3Model(configuration));
  }

  @Test
  void bidsAreJoinedWithASideInput() throws Exception {
    Sql<Bid> query =
        new Sql<>(
            Bid.class,
            "SELECT b.auction, b.bidder, b.price, b.`dateTime`, s.extra FROM BID AS b JOIN SIDE AS s"
                + " ON MOD(b.bidder, "
                + configuration.sideInputRowCount
                + ") = s.id");
    query.setSideInput(NexmarkUtils.prepareSideInput(pipeline, configuration));

    isAsTheModelSays(query, new BoundedSideInputJoinModel(configuration));
  }

  @SuppressWarnings("unchecked") // the values are of no other class
  private <T extends KnownSize> void isAsTheModelSays(Sql<T> query, NexmarkQueryModel<T> model) {
    NexmarkUtils.setupPipeline(NexmarkUtils.CoderStrategy.HAND, pipeline);
    PCollection<Event> events = pipeline.apply(NexmarkUtils.batchEventsSource(configuration));
    PCollection<TimestampedValue<T>> results =
        (PCollection<TimestampedValue<T>>) events.apply(new NexmarkQuery<>(configuration, query));
    // A model that says nothing would fail here.
    PAssert.that(results).satisfies(model.assertionFor());
    pipeline.run();
  }

  /** A query over the tables {@code PERSON}, {@code AUCTION} and {@code BID}, and {@code SIDE}. */
  private static final class Sql<T extends KnownSize> extends NexmarkQueryTransform<T> {
    private static final long serialVersionUID = 1;
    private static final Schema SIDE =
        Schema.builder().addInt64Field("id").addStringField("extra").build();

    private final Class<T> type;
    private final String query;

    Sql(Class<T> type, String query) {
      super("Sql");
      this.type = type;
      this.query = query;
    }

    @Override
    public PCollection<T> expand(PCollection<Event> events) {
      PCollectionTuple tables = PCollectionTuple.empty(events.getPipeline());
      for (Event.Type table : Event.Type.values()) {
        tables =
            tables.and(
                new TupleTag<Row>(table.name()),
                events
                    .apply("Filter" + table, Filter.by(event -> isOf(table, event)))
                    .apply("Rows" + table, new SelectEvent(table)));
      }
      if (getSideInput() != null) {
        tables =
            tables.and(
                new TupleTag<Row>("SIDE"),
                getSideInput()
                    .apply(
                        MapElements.into(TypeDescriptors.rows())
                            .via(
                                side ->
                                    Row.withSchema(SIDE)
                                        .addValues(side.getKey(), side.getValue())
                                        .build()))
                    .setRowSchema(SIDE));
      }
      return tables
          .apply(SqlTransform.query(query).withQueryPlannerClass(AnemoneQueryPlanner.class))
          .apply(Convert.fromRows(type));
    }

    private static boolean isOf(Event.Type table, Event event) {
      return switch (table) {
        case PERSON -> event.newPerson != null;
        case AUCTION -> event.newAuction != null;
        case BID -> event.bid != null;
      };
    }
  }
}
