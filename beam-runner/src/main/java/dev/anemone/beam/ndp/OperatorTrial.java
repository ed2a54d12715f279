package dev.anemone.beam.ndp;

import dev.anemone.ir.property.PushdownCosts;
import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.engine.PlanAnswer;
import dev.anemone.ndp.engine.Split;
import dev.anemone.ndp.engine.StorageEngine;
import dev.anemone.ndp.rows.ArrowRows;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs the first 1, 2, ... operators of a read on a sample of a split, and all of them on a part of
 * the sample, too, and concludes what they take, and leave, of the whole split.
 *
 * <p>Time is a constant (to open the engine) and a slope. What filters and projections leave grows
 * with the bytes. What a partial aggregate leaves has a row for each group, and groups come again:
 * their number is taken to grow with a power of the bytes, as the words of a text do (Heaps' law).
 * The power is 0 when the rest of the sample had no new groups, and 1 when all of its groups were
 * new.
 */
final class OperatorTrial {

  /** The first plan of a process loads the engine, which is not to be measured. */
  private static final AtomicBoolean LOADED = new AtomicBoolean();

  private final StorageEngine engine;
  private final NdpSpec spec;
  private final SplitSample sample;

  /** What came of operators on a part of the split. */
  private record Outcome(double seconds, double bytes, double rows) {}

  /**
   * What is concluded of a split.
   *
   * @param readBytes that a task reads of it when nothing is pushed
   * @param operators that were tried; both sides are taken to be as fast as this process
   */
  record Result(double readBytes, List<PushdownCosts.Operator> operators) {}

  OperatorTrial(StorageEngine engine, NdpSpec spec, SplitSample sample) {
    this.engine = engine;
    this.spec = spec;
    this.sample = sample;
  }

  /**
   * Tries operators.
   *
   * @param operators at least one
   * @param split that the sample is of
   * @throws dev.anemone.ndp.engine.EngineException when they cannot be run
   */
  Result of(List<RelationalOperator> operators, FileSplit split) throws IOException {
    if (LOADED.compareAndSet(false, true)) {
      run(operators, sample.first());
    }
    Growth growth = growth(split);
    double read = readBytes(operators, growth);
    Outcome part = sample.hasPart() ? run(operators, sample.first()) : null;
    Outcome whole = run(operators, sample.whole());
    double secondsOfAll =
        part == null
            ? growth.proportional(whole.seconds())
            : growth.time(part.seconds(), whole.seconds());
    List<PushdownCosts.Operator> concluded = new ArrayList<>();
    double bytesBefore = Math.max(1, read);
    double secondsBefore = 0;
    for (int i = 0; i < operators.size(); i++) {
      boolean isLast = i == operators.size() - 1;
      Outcome first = isLast ? whole : run(operators.subList(0, i + 1), sample.whole());
      double shareOfTime = isLast ? 1 : Math.min(1, first.seconds() / whole.seconds());
      double seconds =
          Math.max(
              secondsBefore,
              shareOfTime * secondsOfAll + growth.proportional(sample.extraSeconds()));
      double bytes = Math.max(1, left(operators.get(i), growth, isLast ? part : null, first));
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
    return new Result(read, concluded);
  }

  /**
   * Bytes of the whole split's rows.
   *
   * @param part what came of a part of the sample; null when that is not known
   */
  private static double left(
      RelationalOperator operator, Growth growth, Outcome part, Outcome whole) {
    if (operator instanceof Aggregate aggregate) {
      boolean oneRow = aggregate.groupBy().isEmpty();
      return oneRow || part == null
          ? whole.bytes()
          : growth.groups(part.rows(), whole.rows()) * whole.bytes();
    }
    return part == null
        ? growth.proportional(whole.bytes())
        : growth.linear(part.bytes(), whole.bytes());
  }

  /** How the sample, its part and the split compare. Rows say it where row groups are not cut. */
  private Growth growth(FileSplit split) throws IOException {
    if (sample.bytes() instanceof FileBytes) {
      return new Growth(rows(sample.first()), rows(sample.whole()), rows(split.range()));
    }
    return new Growth(
        sample.storedBytes() * sample.first().length() / sample.whole().length(),
        sample.storedBytes(),
        (double) split.length());
  }

  private double readBytes(List<RelationalOperator> operators, Growth growth) throws IOException {
    if (!(sample.bytes() instanceof FileBytes file)) {
      return growth.proportional(sample.storedBytes());
    }
    long before = file.bytesRead();
    run(operators, sample.whole());
    return growth.proportional((double) (file.bytesRead() - before));
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

  private Outcome run(List<RelationalOperator> operators, Split range) throws IOException {
    long begin = ThreadTime.nanos();
    try (PlanAnswer answer =
        engine.run(
            new RelationalPlan(spec.scan(), operators),
            sample.format(),
            spec.columns(),
            sample.bytes(),
            range)) {
      long bytes = answer.writeTo(Channels.newChannel(OutputStream.nullOutputStream()));
      return new Outcome(ThreadTime.secondsSince(begin), (double) bytes, (double) answer.rows());
    }
  }
}
