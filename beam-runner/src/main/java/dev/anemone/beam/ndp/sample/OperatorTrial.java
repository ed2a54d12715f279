// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp.sample;

import dev.anemone.beam.ndp.FileBytes;
import dev.anemone.beam.ndp.FileSplit;
import dev.anemone.beam.ndp.NdpSpec;
import dev.anemone.ir.property.PushdownCosts;
import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalOperator.Filter;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.decide.SampleExtrapolation;
import dev.anemone.ndp.decide.TrialTimes;
import dev.anemone.ndp.engine.NdpEngine;
import dev.anemone.ndp.engine.OpenSplit;
import dev.anemone.ndp.engine.PlanAnswer;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.rows.ArrowRows;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the first 1, 2, ... operators of a read on a sample of a split, and concludes what they
 * take, and leave, of the whole split.
 *
 * <p>Time is a constant and proportional to the bytes. The constant is what opening the engine
 * takes, and then each query on no rows. What filters and projections leave is proportional, too.
 * What a partial aggregate leaves has a row for each group, and groups come again: their number is
 * taken to grow with a power of the bytes, as the words of a text do (Heaps' law), for which it is
 * run on a part of the sample, too. The power is 0 when the rest of the sample had no new groups,
 * and 1 when all of its groups were new.
 */
final class OperatorTrial {

  private static final Logger LOG = LoggerFactory.getLogger(OperatorTrial.class);

  private static final Filter NO_ROWS = new Filter(Literal.of(false));

  private final NdpEngine engine;
  private final double engineSeconds;
  private final NdpSpec spec;
  private final SplitSample sample;

  /** What came of operators on a part of the split. */
  private record Outcome(double seconds, double bytes, double rows) {}

  /**
   * What is concluded of a split.
   *
   * @param readBytes that a task reads of it when nothing is pushed
   * @param startSeconds core-seconds before the first operator; those of either side
   * @param operators that were tried; both sides are taken to be as fast as this process
   */
  record Result(double readBytes, double startSeconds, List<PushdownCosts.Operator> operators) {}

  /**
   * A trial.
   *
   * @param engine of which the database is open
   * @param engineSeconds core-seconds that it took to open it
   */
  OperatorTrial(NdpEngine engine, double engineSeconds, NdpSpec spec, SplitSample sample) {
    this.engine = engine;
    this.engineSeconds = engineSeconds;
    this.spec = spec;
    this.sample = sample;
  }

  /**
   * Tries operators.
   *
   * @param operators at least one
   * @param split that the sample is of
   * @throws dev.anemone.ndp.engine.NdpEngineException when they cannot be run
   */
  Result of(List<RelationalOperator> operators, FileSplit split) throws IOException {
    SampleExtrapolation extrapolation = extrapolation(split);
    long bytesBefore = sample.bytes() instanceof FileBytes file ? file.bytesRead() : 0;
    long begin = ThreadTime.nanos();
    try (OpenSplit whole = open(sample.whole())) {
      double openSeconds = engineSeconds + ThreadTime.secondsSince(begin);
      double read =
          extrapolation.proportional(
              sample.bytes() instanceof FileBytes file
                  ? (double) (file.bytesRead() - bytesBefore)
                  : sample.storedBytes());
      // A new database is slow at first; only what it does then counts.
      double rowsOfPart =
          hasGroups(operators) ? rowsOfPart(operators) : run(whole, operators).rows();
      TrialTimes times = new TrialTimes();
      List<Outcome> outcomes = new ArrayList<>();
      for (int i = 1; i <= operators.size(); i++) {
        List<RelationalOperator> first = operators.subList(0, i);
        Outcome outcome = run(whole, first);
        outcomes.add(outcome);
        times.add(outcome.seconds(), secondsWithoutRows(whole, first));
      }
      LOG.debug(
          "a sample of {} was opened in {} s; queries took {}: {}",
          split,
          openSeconds,
          times,
          outcomes);
      return new Result(
          read,
          openSeconds,
          concluded(operators, outcomes, rowsOfPart, times, extrapolation, Math.max(1, read)));
    }
  }

  private static double secondsWithoutRows(OpenSplit split, List<RelationalOperator> operators) {
    List<RelationalOperator> none = new ArrayList<>(List.of(NO_ROWS));
    none.addAll(operators);
    return run(split, none).seconds();
  }

  private List<PushdownCosts.Operator> concluded(
      List<RelationalOperator> operators,
      List<Outcome> outcomes,
      double rowsOfPart,
      TrialTimes times,
      SampleExtrapolation extrapolation,
      double read) {
    List<Double> secondsOfSplit = times.ofSplit(extrapolation, sample.extraSeconds());
    List<PushdownCosts.Operator> concluded = new ArrayList<>();
    double bytesBefore = read;
    double secondsBefore = 0;
    for (int i = 0; i < operators.size(); i++) {
      double seconds = secondsOfSplit.get(i);
      double bytes =
          Math.max(
              1, left(operators.subList(0, i + 1), extrapolation, outcomes.get(i), rowsOfPart));
      double secondsPerByte = (seconds - secondsBefore) / bytesBefore;
      concluded.add(
          new PushdownCosts.Operator(
              operators.get(i).getClass().getSimpleName(),
              bytes / bytesBefore,
              secondsPerByte,
              secondsPerByte));
      bytesBefore = bytes;
      secondsBefore = seconds;
    }
    return concluded;
  }

  /**
   * Bytes of the whole split's rows after operators.
   *
   * @param rowsOfPart that all operators leave of a part of the sample
   */
  private double left(
      List<RelationalOperator> operators,
      SampleExtrapolation extrapolation,
      Outcome outcome,
      double rowsOfPart) {
    if (!(operators.get(operators.size() - 1) instanceof Aggregate)) {
      return extrapolation.proportional(outcome.bytes());
    }
    return hasGroups(operators)
        ? extrapolation.groups(rowsOfPart, outcome.rows()) * outcome.bytes()
        : outcome.bytes();
  }

  /** Whether there are groups, of which a part of the sample says how they come again. */
  private boolean hasGroups(List<RelationalOperator> operators) {
    return sample.hasPart()
        && operators.get(operators.size() - 1) instanceof Aggregate aggregate
        && !aggregate.groupBy().isEmpty();
  }

  private double rowsOfPart(List<RelationalOperator> operators) {
    try (OpenSplit part = open(sample.first())) {
      return run(part, operators).rows();
    }
  }

  /** How the sample, its part and the split compare. Rows say it where row groups are not cut. */
  private SampleExtrapolation extrapolation(FileSplit split) throws IOException {
    if (sample.bytes() instanceof FileBytes) {
      return new SampleExtrapolation(
          rows(sample.first()), rows(sample.whole()), rows(split.range()));
    }
    return new SampleExtrapolation(
        sample.storedBytes() * sample.first().length() / sample.whole().length(),
        sample.storedBytes(),
        (double) split.length());
  }

  /** Rows of a range, for which one column is read. */
  private double rows(Split range) throws IOException {
    RelationalPlan count =
        RelationalPlan.of(
            new RowType(spec.scan().fields().subList(0, 1)),
            Aggregate.complete(List.of(), List.of(AggregateCall.countRows("rows"))).partialHalf());
    long rows = 0;
    try (PlanAnswer answer =
        engine.run(count, sample.format(), spec.columns(), sample.bytes(), range)) {
      while (answer.loadNextBatch()) {
        for (List<Object> row : ArrowRows.of(answer.root(), answer.type())) {
          rows += ((Number) row.get(0)).longValue();
        }
      }
    }
    return rows;
  }

  private OpenSplit open(Split range) {
    return engine.open(spec.scan(), sample.format(), spec.columns(), sample.bytes(), range);
  }

  private static Outcome run(OpenSplit split, List<RelationalOperator> operators) {
    long begin = ThreadTime.nanos();
    try (PlanAnswer answer = split.run(operators)) {
      long bytes = answer.writeTo(Channels.newChannel(OutputStream.nullOutputStream()));
      return new Outcome(ThreadTime.secondsSince(begin), (double) bytes, (double) answer.rows());
    } catch (IOException e) {
      throw new UncheckedIOException("what is thrown away cannot be written", e);
    }
  }
}
