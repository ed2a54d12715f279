// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.NemoRunner;
import dev.anemone.beam.options.NemoPipelineOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.io.GenerateSequence;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Distribution;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Reshuffle;
import org.apache.beam.sdk.transforms.Sum;
import org.apache.beam.sdk.transforms.join.CoGbkResult;
import org.apache.beam.sdk.transforms.join.CoGroupByKey;
import org.apache.beam.sdk.transforms.join.KeyedPCollectionTuple;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.TupleTag;

/**
 * A job that NemoRunner runs here, and its report: clicks, of which a few users have made a third,
 * are joined with users and counted by country.
 */
final class ClickJob {

  private static final long CLICKS = 600_000;
  private static final long HOURS = 24;
  private static final long FEW = 8;
  private static final long USERS = 2_000;
  private static final TupleTag<String> CLICK = new TupleTag<>() {};
  private static final TupleTag<String> COUNTRY = new TupleTag<>() {};

  private ClickJob() {}

  /** Runs it; an attempt of a task fails, and the next one does not. */
  static void succeed(Path report, String... options) {
    ParseFn.FAILS.set(true);
    assertThat(pipeline(report, Long.MAX_VALUE, options).run().waitUntilFinish())
        .isEqualTo(PipelineResult.State.DONE);
  }

  /** Runs it with a click that its code cannot handle. */
  static void fail(Path report, String... options) {
    ParseFn.FAILS.set(false);
    Pipeline pipeline = pipeline(report, CLICKS / 2, options);
    assertThatThrownBy(() -> pipeline.run().waitUntilFinish()).hasStackTraceContaining("/ by zero");
  }

  private static Pipeline pipeline(Path report, long bad, String... more) {
    NemoPipelineOptions options =
        PipelineOptionsFactory.fromArgs(
                Stream.concat(
                        Stream.of("--jobName=clicks-by-country", "--slots=4", "--progress=off"),
                        Stream.of(more))
                    .toArray(String[]::new))
            .as(NemoPipelineOptions.class);
    options.setRunner(NemoRunner.class);
    options.setReport(report.toString());
    Pipeline pipeline = Pipeline.create(options);
    var clicks =
        pipeline
            .apply("Hours", GenerateSequence.from(0).to(HOURS))
            .apply("Spread hours", Reshuffle.viaRandomKey())
            .apply("Read clicks", ParDo.of(new ReadFn()))
            .apply("Parse", ParDo.of(new ParseFn(bad)));
    var users =
        pipeline
            .apply("Read users", GenerateSequence.from(0).to(USERS))
            .apply("Find country", ParDo.of(new CountryFn()));
    KeyedPCollectionTuple.of(CLICK, clicks)
        .and(COUNTRY, users)
        .apply("Join users", CoGroupByKey.create())
        .apply("Take country", ParDo.of(new JoinFn()))
        .apply("Count by country", Sum.longsPerKey())
        .apply("Format", ParDo.of(new FormatFn()));
    return pipeline;
  }

  private static final class ReadFn extends DoFn<Long, Long> {
    private static final long serialVersionUID = 1;

    @ProcessElement
    public void processElement(@Element Long hour, OutputReceiver<Long> out) {
      for (long click = hour; click < CLICKS; click += HOURS) {
        out.output(click);
      }
    }
  }

  private static final class ParseFn extends DoFn<Long, KV<Long, String>> {
    private static final long serialVersionUID = 1;
    private static final AtomicBoolean FAILS = new AtomicBoolean();

    private final Counter parsed = Metrics.counter(ClickJob.class, "parsed");
    private final Distribution letters = Metrics.distribution(ClickJob.class, "letters");
    private final long bad;

    ParseFn(long bad) {
      this.bad = bad;
    }

    @ProcessElement
    public void processElement(@Element Long number, OutputReceiver<KV<Long, String>> out) {
      long seconds = number == bad ? 0 : 1 + number % 60;
      String text = "click " + number + " of page /item/" + number % 977 + ", rate " + 60 / seconds;
      if (number == CLICKS / 3 && FAILS.compareAndSet(true, false)) {
        throw new IllegalStateException("connection reset by peer");
      }
      parsed.inc();
      letters.update(text.length());
      long user = number % 3 == 0 ? number / 3 % FEW : number * 31 % USERS;
      out.output(KV.of(user, text));
    }
  }

  private static final class CountryFn extends DoFn<Long, KV<Long, String>> {
    private static final long serialVersionUID = 1;
    private static final List<String> COUNTRIES = List.of("AT", "BR", "CH", "DE", "FR", "KR", "US");

    @ProcessElement
    public void processElement(@Element Long user, OutputReceiver<KV<Long, String>> out) {
      out.output(KV.of(user, COUNTRIES.get((int) (user % COUNTRIES.size()))));
    }
  }

  private static final class JoinFn extends DoFn<KV<Long, CoGbkResult>, KV<String, Long>> {
    private static final long serialVersionUID = 1;

    @ProcessElement
    public void processElement(
        @Element KV<Long, CoGbkResult> user, OutputReceiver<KV<String, Long>> out) {
      String country = user.getValue().getOnly(COUNTRY);
      for (String click : user.getValue().getAll(CLICK)) {
        out.output(KV.of(country, click.isEmpty() ? 0L : 1L));
      }
    }
  }

  private static final class FormatFn extends DoFn<KV<String, Long>, String> {
    private static final long serialVersionUID = 1;

    @ProcessElement
    public void processElement(@Element KV<String, Long> country, OutputReceiver<String> out) {
      out.output(country.getKey() + ": " + country.getValue());
    }
  }
}
